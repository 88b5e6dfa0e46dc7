// Draws how long something still counts. The server says once how many seconds are left; nothing is asked again.
export default {
  template: `<span class="nova-countdown" role="timer" aria-live="off">{{ words }}</span>`,
  props: { text: String, over: String, seconds: Number },
  data() {
    return { left: this.seconds };
  },
  computed: {
    words() {
      if (this.left <= 0) return this.over;
      const seconds = String(Math.floor(this.left % 60)).padStart(2, "0");
      return this.text.replace("{time}", `${Math.floor(this.left / 60)}:${seconds}`);
    },
  },
  mounted() {
    const started = performance.now();
    const draw = () => {
      this.left = Math.max(0, Math.ceil(this.seconds - (performance.now() - started) / 1000));
      if (this.left <= 0) clearInterval(this.ticker);
    };
    this.ticker = setInterval(draw, 1000);
    draw();
  },
  unmounted() {
    clearInterval(this.ticker);
  },
};
