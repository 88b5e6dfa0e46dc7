// Copies the text of an element as it is shown; the clipboard wants to be asked in the press itself.
export default {
  template: `<button type="button" class="nova-copy" @click="copy"><span aria-hidden="true" class="q-icon material-icons">{{ copied ? "check" : "content_copy" }}</span><span aria-live="polite">{{ copied ? done : label }}</span></button>`,
  props: { label: String, done: String, target: String },
  data() {
    return { copied: false };
  },
  methods: {
    async copy() {
      const texts = document.querySelectorAll(`#${this.target} .nova-text`);
      const text = [...texts].map((part) => part.innerText.trim()).join("\n\n");
      try {
        await navigator.clipboard.writeText(text);
      } catch {
        return; // not a secure address, or not permitted: the button does not claim anything
      }
      this.copied = true;
      setTimeout(() => (this.copied = false), 2000);
    },
  },
};
