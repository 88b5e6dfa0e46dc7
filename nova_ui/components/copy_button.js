// Copies the text of an element as it is shown, or what stands at an address of this server. The clipboard wants to be
// asked in the press itself, so what is fetched is handed to it as a promise.
export default {
  template: `<button type="button" class="nova-copy" @click="copy"><span aria-hidden="true" class="q-icon material-icons">{{ copied ? "check" : "content_copy" }}</span><span aria-live="polite">{{ copied ? done : label }}</span></button>`,
  props: { label: String, done: String, target: String, address: String },
  data() {
    return { copied: false };
  },
  methods: {
    async copy() {
      try {
        if (this.address) await this.copyFrom();
        else await navigator.clipboard.writeText(this.shown());
      } catch {
        return; // not a secure address, or not permitted: the button does not claim anything
      }
      this.copied = true;
      setTimeout(() => (this.copied = false), 2000);
    },
    shown() {
      const texts = document.querySelectorAll(`#${this.target} .nova-text`);
      return [...texts].map((part) => part.innerText.trim()).join("\n\n");
    },
    async copyFrom() {
      const fetched = fetch((window.path_prefix || "") + this.address).then((answer) => {
        if (!answer.ok) throw new Error();
        return answer.text();
      });
      const text = fetched.then((content) => new Blob([content], { type: "text/plain" }));
      await navigator.clipboard.write([new ClipboardItem({ "text/plain": text })]);
    },
  },
};
