// The rows keep their elements while the page changes around them, so that the focus can come back to the one opened.
export default {
  template: `
    <div class="nova-table nova-entries">
      <table class="nova-entries__table" :aria-label="label">
        <thead>
          <tr><th v-for="column in columns" :key="column.name" scope="col">{{ column.label }}</th></tr>
        </thead>
        <tbody>
          <tr v-for="row in rows" :key="row.key" :class="{ 'nova-entries__open': row.key === opened }" @click="$emit('open', row.key)">
            <td v-for="column in columns" :key="column.name" :class="'nova-entries__' + column.name">
              <button v-if="column.kind === 'opens'" type="button" class="nova-open" @click.stop="$emit('open', row.key)">{{ row[column.name] }}</button>
              <span v-else-if="column.kind === 'badge'" :class="'nova-badge nova-badge--' + row[column.name].tone">{{ row[column.name].text }}</span>
              <template v-else>{{ row[column.name] }}</template>
            </td>
          </tr>
        </tbody>
      </table>
    </div>`,
  props: { label: String, columns: Array, rows: Array, opened: String },
  emits: ["open"],
};
