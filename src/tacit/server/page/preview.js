// What a file seems to hold: its first rows, what is text, what is an id, which language; all of it can be corrected.
import { counted, languageName, make, option } from "./make.js";

const SHOWN = 160; // characters of a cell
const NOT_A_NAME = /[^\p{L}\p{N}._-]+/gu;

export class Preview {
  constructor(form, found, { filename, taken, languages }) {
    Object.assign(this, { form, found, taken, languages });
    this.name = freeName(filename, taken);
  }

  // `again(header)` looks at the file anew, with or without names of columns in its first row.
  shown({ back, train, again }) {
    const { form, found } = this, names = found.columns.map(({ name }) => name);
    const only = names.length < 2;
    this.fields = {
      name: make("input", { name: "name", required: true, maxLength: 60, value: this.name, dir: "auto", autocomplete: "off", spellcheck: false }),
      text: make("select", { name: "text" }, ...names.map((name) => option(name, name, name === found.text))),
      id: make("select", { name: "id" }, option("", "a number for each"), ...names.map((name) => option(name, name, name === found.id))),
      language: make("select", { name: "language" }, ...this.languageOptions()),
      background: make("select", { name: "background" }, option("", "these texts alone"), option("wordnet", "these texts and WordNet's definitions (English)")),
    };
    const field = (label, one, hidden = false) => make("label", { className: "field", hidden }, make("span", {}, label), one);
    form.replaceChildren(
      make("h2", {}, found.rows ? counted(found.rows, "row") : "The first rows"),
      ...(found.note ? [make("p", { className: "soft" }, found.note)] : []),
      make("div", { className: "heat-frame", tabIndex: 0, aria: { role: "region", label: "The first rows" } }, this.table()),
      make("div", { className: "settings" },
        field("Call it", this.fields.name), field("The text is in", this.fields.text, only), field("The id is in", this.fields.id, only),
        field("Language", this.fields.language), field("Learn from", this.fields.background)),
      this.kept(names), ...this.named(again),
      make("div", { className: "row" }, make("button", { className: "solid" }, "Learn from it"), this.back(back)));
    for (const one of [this.fields.text, this.fields.id, this.fields.language]) one.addEventListener("change", () => this.mark());
    form.onsubmit = (event) => { event.preventDefault(); train(this.wanted()); };
    form.hidden = false;
    this.mark();
    this.fields.name.focus();
  }

  back(back) {
    return make("button", { type: "button", className: "outlined", onclick: () => { this.form.hidden = true; back(); } }, "Another file");
  }

  named(again) {
    if (this.found.header === null) return [];
    const box = make("input", { type: "checkbox", name: "header", checked: this.found.header, onchange: () => again(box.checked).then(() => { box.checked = this.found.header; }) });
    return [make("label", { className: "named" }, box, "The first row names the columns")];
  }

  languageOptions() {
    const guess = this.found.language, codes = [...new Set([guess, ...this.languages].filter(Boolean))];
    const named = codes.map((code) => [code, languageName(code)]).sort((a, b) => a[1].localeCompare(b[1]));
    return [option("", "found out", !guess), ...named.map(([code, name]) => option(code, code === guess ? `${name} (it seems)` : name, code === guess))];
  }

  table() {
    const names = this.found.columns.map(({ name }) => name);
    const line = (row) => make("tr", {}, ...names.map((name) => make("td", { dir: "auto", data: { column: name } }, shortened(row[name]))));
    return make("table", { className: "rows" }, make("thead", {}, make("tr", {}, ...names.map((name) => make("th", { scope: "col", dir: "auto", data: { column: name } }, name)))),
      make("tbody", {}, ...this.found.preview.map(line)));
  }

  // The other columns: kept with the texts, to filter by and to show.
  kept(names) {
    this.boxes = names.map((name) => make("input", { type: "checkbox", value: name, checked: true }));
    return make("fieldset", { className: "keep" }, make("legend", {}, "Keep with each text, to filter by"),
      ...this.boxes.map((box) => make("label", { data: { keep: box.value } }, box, make("span", { dir: "auto" }, box.value))));
  }

  mark() {
    const { text, id, language, background } = this.fields;
    for (const cell of this.form.querySelectorAll("[data-column]")) cell.className = cell.dataset.column === text.value ? "is-text" : cell.dataset.column === id.value ? "is-id" : "";
    const others = [...this.form.querySelectorAll("[data-keep]")];
    for (const label of others) label.hidden = [text.value, id.value].includes(label.dataset.keep);
    this.form.querySelector(".keep").hidden = others.every((label) => label.hidden);
    const foreign = !["", "en"].includes(language.value);
    background.disabled = foreign;
    if (foreign) background.value = "";
  }

  wanted() {
    const { name, text, id, language, background } = this.fields;
    const columns = this.boxes.filter((box) => box.checked && ![text.value, id.value].includes(box.value)).map((box) => box.value);
    return {
      name: name.value.trim(), upload: this.found.upload, text: text.value, id: id.value || null, columns,
      language: language.value || null, background: background.value || null,
      ...(this.found.header === undefined ? {} : { header: this.found.header }),
    };
  }
}

function shortened(value) {
  const text = value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)} …` : text;
}

function freeName(filename, taken) {
  const base = filename.replace(/\.(gz|xz|bz2|zst)$/i, "").replace(/\.[a-z0-9]+$/i, "").replace(NOT_A_NAME, "-").replace(/^[-.]+|[-.]+$/g, "").slice(0, 50) || "texts";
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}-${number}`;
    if (!taken.includes(name)) return name;
  }
}
