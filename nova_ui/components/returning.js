// Tells the server when the person comes back to this tab, at most every two seconds.
export default {
  template: `<span hidden></span>`,
  emits: ["return"],
  mounted() {
    let told = 0;
    this.tell = () => {
      if (document.visibilityState !== "visible" || performance.now() - told < 2000) return;
      told = performance.now();
      this.$emit("return");
    };
    document.addEventListener("visibilitychange", this.tell);
    window.addEventListener("focus", this.tell);
  },
  unmounted() {
    document.removeEventListener("visibilitychange", this.tell);
    window.removeEventListener("focus", this.tell);
  },
};
