// Filters of a search: values of the texts' columns, each with the number of texts that have it.
import { element, formatCount, formatNumber } from "./dom.js";

const MAX_VALUES = 12; // shown of a column; selected values are always shown

export class Filters {
  constructor(root, onChange) {
    Object.assign(this, { root, onChange, selected: {}, isOpen: false });
  }

  where() { return Object.keys(this.selected).length ? { where: this.selected } : {}; }

  serialize() { return Object.keys(this.selected).length ? JSON.stringify(this.selected) : null; }

  // Reads the filters from the URL, which may hold anything.
  parse(json) {
    this.selected = {};
    try {
      for (const [name, values] of Object.entries(JSON.parse(json ?? "{}"))) if (Array.isArray(values) && values.length) this.selected[name] = values;
    } catch { /* no filters */ }
  }

  render(counts) {
    const columns = Object.entries(counts ?? {}).filter(([name, values]) => values.length > 1 || this.selected[name]);
    this.root.hidden = !columns.length;
    if (!columns.length) return;
    const number = Object.values(this.selected).reduce((sum, values) => sum + values.length, 0);
    const details = element("details", { open: this.isOpen || number > 0 },
      element("summary", {}, number ? formatCount(number, "filter") : "Filter"),
      element("div", { className: "facets" }, ...columns.map(([name, values]) => this.renderColumn(name, values))));
    details.addEventListener("toggle", () => { this.isOpen = details.open; });
    const focused = document.activeElement?.dataset?.filter;
    this.root.replaceChildren(details);
    if (focused) [...this.root.querySelectorAll("input")].find((input) => input.dataset.filter === focused)?.focus();
  }

  renderColumn(name, values) {
    const isSame = (a) => (b) => String(a) === String(b); // an older URL may hold a number as text
    const selected = this.selected[name] ?? [];
    const shown = values.filter(({ value }, i) => i < MAX_VALUES || selected.some(isSame(value)));
    return element("fieldset", {}, element("legend", {}, name), ...shown.map(({ value, n }) => {
      const box = element("input", { type: "checkbox", checked: selected.some(isSame(value)), data: { filter: JSON.stringify([name, value]) } });
      box.addEventListener("change", () => this.select(name, box.checked ? [...selected, value] : selected.filter((other) => !isSame(value)(other))));
      return element("label", {}, box, element("span", { dir: "auto" }, value === null || value === "" ? "(empty)" : String(value)), element("b", {}, formatNumber(n)));
    }), ...(values.length > shown.length ? [element("p", { className: "muted" }, `and ${formatNumber(values.length - shown.length)} more`)] : []));
  }

  select(name, values) {
    this.selected = { ...this.selected, [name]: values };
    if (!values.length) delete this.selected[name];
    this.onChange();
  }
}
