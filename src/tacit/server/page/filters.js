// What a search is narrowed to: values of the columns that came with the texts, each with how many texts have it.
import { counted, make, many } from "./make.js";

const MOST = 12; // values of a column that are offered; those chosen always are

export class Filters {
  constructor(root, changed) {
    Object.assign(this, { root, changed, chosen: {}, counts: null, opened: false });
  }

  where() { return Object.keys(this.chosen).length ? { where: this.chosen } : {}; }

  // As it stands in the address; what somebody typed there may be anything.
  written() { return Object.keys(this.chosen).length ? JSON.stringify(this.chosen) : null; }

  read(written) {
    this.chosen = {};
    try {
      for (const [name, values] of Object.entries(JSON.parse(written ?? "{}"))) if (Array.isArray(values) && values.length) this.chosen[name] = values;
    } catch { /* no filter, then */ }
  }

  offer(counts) {
    const columns = Object.entries(counts ?? {}).filter(([name, values]) => values.length > 1 || this.chosen[name]);
    this.root.hidden = !columns.length;
    if (!columns.length) return;
    const number = Object.values(this.chosen).reduce((sum, values) => sum + values.length, 0);
    const details = make("details", { open: this.opened || number > 0 },
      make("summary", {}, number ? `Narrowed by ${counted(number, "value")}` : "Narrow down"),
      make("div", { className: "facets" }, ...columns.map(([name, values]) => this.column(name, values))));
    details.addEventListener("toggle", () => { this.opened = details.open; });
    const focused = document.activeElement?.dataset?.filter;
    this.root.replaceChildren(details);
    if (focused) [...this.root.querySelectorAll("input")].find((one) => one.dataset.filter === focused)?.focus();
  }

  column(name, values) {
    const same = (a) => (b) => String(a) === String(b); // an older address may hold a number as text
    const chosen = this.chosen[name] ?? [];
    const kept = values.filter(({ value }, place) => place < MOST || chosen.some(same(value)));
    return make("fieldset", {}, make("legend", {}, name), ...kept.map(({ value, n }) => {
      const box = make("input", { type: "checkbox", checked: chosen.some(same(value)), data: { filter: JSON.stringify([name, value]) } });
      box.addEventListener("change", () => this.choose(name, box.checked ? [...chosen, value] : chosen.filter((one) => !same(value)(one))));
      return make("label", {}, box, make("span", { dir: "auto" }, value === null || value === "" ? "(empty)" : String(value)), make("b", {}, many(n)));
    }), ...(values.length > kept.length ? [make("p", { className: "soft" }, `and ${many(values.length - kept.length)} more`)] : []));
  }

  choose(name, values) {
    this.chosen = { ...this.chosen, [name]: values };
    if (!values.length) delete this.chosen[name];
    this.changed();
  }
}
