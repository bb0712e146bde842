// The first rows of an uploaded file, and the settings of the training, which start with what was detected.
import { element, formatCount, languageName, option } from "./dom.js";

const MAX_CELL_CHARS = 160;
const NOT_IN_NAMES = /[^\p{L}\p{N}._-]+/gu;

export class UploadPreview {
  constructor(form, detected, { filename, existingNames, languages }) {
    Object.assign(this, { form, detected, languages, name: unusedName(filename, existingNames) });
  }

  // `onHeaderChange(header)` inspects the file again, with or without column names in its first row.
  render({ onBack, onSubmit, onHeaderChange }) {
    const { form, detected } = this, names = detected.columns.map(({ name }) => name);
    const hasOneColumn = names.length < 2;
    this.fields = {
      name: element("input", { name: "name", required: true, maxLength: 60, value: this.name, dir: "auto", autocomplete: "off", spellcheck: false }),
      text: element("select", { name: "text" }, ...names.map((name) => option(name, name, name === detected.text))),
      id: element("select", { name: "id" }, option("", "Row numbers"), ...names.map((name) => option(name, name, name === detected.id))),
      language: element("select", { name: "language" }, ...this.languageOptions()),
      background: element("select", { name: "background" }, option("", "Only these texts"), option("wordnet", "These texts and WordNet's definitions (English)")),
    };
    const field = (label, input, hidden = false) => element("label", { className: "field", hidden }, element("span", {}, label), input);
    form.replaceChildren(
      element("h2", {}, detected.rows ? formatCount(detected.rows, "row") : "First rows"),
      ...(detected.note ? [element("p", { className: "muted" }, detected.note)] : []),
      element("div", { className: "scroll-frame", tabIndex: 0, aria: { role: "region", label: "First rows" } }, this.renderTable()),
      element("div", { className: "settings" },
        field("Name", this.fields.name), field("Text column", this.fields.text, hasOneColumn), field("ID column", this.fields.id, hasOneColumn),
        field("Language", this.fields.language), field("Training data", this.fields.background)),
      this.renderColumnChoices(names), ...this.renderHeaderCheckbox(onHeaderChange),
      element("div", { className: "row" }, element("button", { className: "solid" }, "Train"), this.renderBackButton(onBack)));
    for (const input of [this.fields.text, this.fields.id, this.fields.language]) input.addEventListener("change", () => this.updateMarks());
    form.onsubmit = (event) => { event.preventDefault(); onSubmit(this.toRequest()); };
    form.hidden = false;
    this.updateMarks();
    this.fields.name.focus();
  }

  renderBackButton(onBack) {
    return element("button", { type: "button", className: "outlined", onclick: () => { this.form.hidden = true; onBack(); } }, "Another file");
  }

  renderHeaderCheckbox(onHeaderChange) {
    const { header } = this.detected;
    if (header === null) return [];
    const box = element("input", { type: "checkbox", name: "header", checked: header, onchange: () => onHeaderChange(box.checked).then(() => { box.checked = header; }) });
    return [element("label", { className: "header-choice" }, box, "The first row has column names")];
  }

  languageOptions() {
    const detected = this.detected.language, codes = [...new Set([detected, ...this.languages].filter(Boolean))];
    const named = codes.map((code) => [code, languageName(code)]).sort((a, b) => a[1].localeCompare(b[1]));
    return [option("", "Detect", !detected), ...named.map(([code, name]) => option(code, code === detected ? `${name} (detected)` : name, code === detected))];
  }

  renderTable() {
    const names = this.detected.columns.map(({ name }) => name);
    const renderRow = (row) => element("tr", {}, ...names.map((name) => element("td", { dir: "auto", data: { column: name } }, formatCell(row[name]))));
    return element("table", { className: "rows" }, element("thead", {}, element("tr", {}, ...names.map((name) => element("th", { scope: "col", dir: "auto", data: { column: name } }, name)))),
      element("tbody", {}, ...this.detected.preview.map(renderRow)));
  }

  // Checkboxes for the columns that are stored with the texts.
  renderColumnChoices(names) {
    this.boxes = names.map((name) => element("input", { type: "checkbox", value: name, checked: true }));
    return element("fieldset", { className: "column-choices" }, element("legend", {}, "Columns to store for filters"),
      ...this.boxes.map((box) => element("label", { data: { choice: box.value } }, box, element("span", { dir: "auto" }, box.value))));
  }

  // Marks the selected columns in the table, and disables what does not apply.
  updateMarks() {
    const { text, id, language, background } = this.fields;
    for (const cell of this.form.querySelectorAll("[data-column]")) cell.className = cell.dataset.column === text.value ? "is-text" : cell.dataset.column === id.value ? "is-id" : "";
    const labels = [...this.form.querySelectorAll("[data-choice]")];
    for (const label of labels) label.hidden = [text.value, id.value].includes(label.dataset.choice);
    this.form.querySelector(".column-choices").hidden = labels.every((label) => label.hidden);
    const isNotEnglish = !["", "en"].includes(language.value);
    background.disabled = isNotEnglish;
    if (isNotEnglish) background.value = "";
  }

  toRequest() {
    const { name, text, id, language, background } = this.fields, { upload, header } = this.detected;
    const columns = this.boxes.filter((box) => box.checked && ![text.value, id.value].includes(box.value)).map((box) => box.value);
    return {
      name: name.value.trim(), upload, text: text.value, id: id.value || null, columns,
      language: language.value || null, background: background.value || null, ...(header === undefined ? {} : { header }),
    };
  }
}

function formatCell(value) {
  const text = value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.length > MAX_CELL_CHARS ? `${text.slice(0, MAX_CELL_CHARS)} …` : text;
}

// A name for the collection from the file's name, with a number if it is used already.
function unusedName(filename, existingNames) {
  const base = filename.replace(/\.(gz|xz|bz2|zst)$/i, "").replace(/\.[a-z0-9]+$/i, "").replace(NOT_IN_NAMES, "-").replace(/^[-.]+|[-.]+$/g, "").slice(0, 50) || "texts";
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}-${number}`;
    if (!existingNames.includes(name)) return name;
  }
}
