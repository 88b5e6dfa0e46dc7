// Where a message is typed. The text stays in the browser until it is sent, and survives a reload of the page.
export default {
  template: `<textarea ref="box" class="nova-composer__box" rows="1" :aria-label="label" :placeholder="placeholder" :maxlength="longest" @keydown="press" @input="typed"></textarea>`,
  props: { label: String, placeholder: String, longest: Number, last: String, draft: String },
  emits: ["send", "tools"],
  mounted() {
    this.$refs.box.value = this.kept();
    this.grow();
    this.$refs.box.focus({ preventScroll: true });
  },
  methods: {
    kept() {
      try {
        return sessionStorage.getItem(this.draft) || "";
      } catch {
        return "";
      }
    },
    keep(text) {
      try {
        text ? sessionStorage.setItem(this.draft, text) : sessionStorage.removeItem(this.draft);
      } catch {
        // storage is switched off: then only a reload loses the text
      }
    },
    press(event) {
      const box = this.$refs.box;
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
        event.preventDefault();
        if (!event.repeat) this.submit();
      } else if (event.key === "/" && box.value === "" && !event.isComposing) {
        event.preventDefault();
        this.$emit("tools");
      } else if (event.key === "ArrowUp" && box.value === "" && this.last) {
        event.preventDefault();
        this.put(this.last);
      }
    },
    typed() {
      this.keep(this.$refs.box.value);
      this.grow();
    },
    grow() {
      const box = this.$refs.box;
      box.style.height = "auto";
      box.style.height = `${Math.min(box.scrollHeight, 200)}px`;
    },
    submit() {
      const text = this.$refs.box.value;
      if (text.trim()) this.$emit("send", text);
    },
    put(text) {
      const box = this.$refs.box;
      box.value = text;
      this.typed();
      box.focus();
      box.setSelectionRange(text.length, text.length);
    },
    // what was typed while the message was on its way stays
    clear(sent) {
      if (this.$refs.box.value === sent) this.$refs.box.value = "";
      this.typed();
    },
  },
};
