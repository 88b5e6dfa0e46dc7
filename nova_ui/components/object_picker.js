// A box that finds objects by name while one types; the server searches and says what there is.
export default {
  template: `<q-select ref="select" class="nova-stretch" popup-content-class="nova-picker__list" outlined dense use-input hide-dropdown-icon
    input-debounce="250" :multiple="multiple" :use-chips="multiple" :hide-selected="!multiple" :fill-input="!multiple" clearable behavior="menu"
    :label="label" :hint="hint" :error="problem !== ''" :error-message="problem" :model-value="chosen" :options="options"
    @filter="search" @popup-show="tidy" @update:model-value="choose">
    <template #option="scope"><q-item v-bind="scope.itemProps"><q-item-section><q-item-label>{{ scope.opt.label }}</q-item-label>
      <q-item-label v-if="scope.opt.note" caption lines="1">{{ scope.opt.note }}</q-item-label></q-item-section></q-item></template>
    <template #no-option><q-item><q-item-section class="nova-hint">{{ typed ? none : ask }}</q-item-section></q-item></template>
  </q-select>`,
  props: { label: String, hint: String, none: String, ask: String, problem: String, multiple: Boolean, chosen: Object },
  emits: ["search", "choose"],
  data() {
    return { options: [], waiting: null, typed: false };
  },
  methods: {
    search(text, update, abort) {
      this.waiting = { text, update };
      this.typed = text !== "";
      this.$emit("search", text);
      setTimeout(() => {
        if (this.waiting?.update === update) abort(); // no answer: the box must not stay busy for ever
      }, 15000);
    },
    // an answer to what has been typed over meanwhile is dropped
    offer(text, options) {
      if (this.waiting?.text !== text) return;
      const { update } = this.waiting;
      this.waiting = null;
      update(() => (this.options = options), (select) => {
        this.tidy();
        if (text && options.length) select.moveOptionSelection(1, true);
      });
    },
    // what stands between a list and its options must not be a control of its own
    tidy() {
      document.querySelectorAll(".nova-picker__list .q-virtual-scroll__content").forEach((part) => part.removeAttribute("tabindex"));
    },
    choose(chosen) {
      const ids = (Array.isArray(chosen) ? chosen : chosen ? [chosen] : []).map((one) => one.value);
      this.$emit("choose", ids);
    },
  },
};
