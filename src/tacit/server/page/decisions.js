// What links and duplicates have in common: export, the choice of a threshold, and the review of pairs.
import { showError } from "./api.js";
import { saveJobFile, saveText, toCsv } from "./csv_export.js";
import { button, element, formatCount, formatFixed, formatNumber } from "./dom.js";
import { renderPair } from "./pairs.js";

const KEYS = { y: 1, n: 0, s: null }; // same, different, skip

export class Decisions {
  // `files` are [name, label] of what can be exported, `storageKey()` names the judgements of these collections in the
  // browser, and `decide(changes)` runs the job again.
  constructor(container, { files, storageKey, decide }) {
    Object.assign(this, { container, files, storageKey, decide, threshold: null });
  }

  // Fields of a request: all judgements, and the threshold if one was chosen.
  request() { return { judgements: this.load().map(([id_a, id_b, label]) => ({ id_a, id_b, label })), ...(this.threshold === null ? {} : { threshold: this.threshold }) }; }

  // Forgets the threshold and hides the tools: another list was chosen.
  reset() {
    this.threshold = null;
    this.container.hidden = true;
  }

  load() {
    try { return JSON.parse(localStorage.getItem(this.storageKey()) ?? "[]"); } catch { return this.kept ?? []; }
  }

  store(judgements) {
    this.kept = judgements;
    try { localStorage.setItem(this.storageKey(), JSON.stringify(judgements)); } catch { /* kept until the page is closed */ }
  }

  render({ id, result }) {
    const exports = this.files.map(([name, label]) => button(label, () => saveJobFile(id, name).catch((error) => showError("export", error.message)), { className: "outlined" }));
    this.container.replaceChildren(element("div", { className: "row wrap" }, ...exports), ...this.renderNotes(result), this.renderCuts(result.cuts), this.renderReview(result.next));
    this.container.hidden = false;
  }

  renderNotes({ notes }) { return notes.map((note) => element("p", { className: "muted" }, note)); }

  // A slider over thresholds, with the pairs around each, so that a person can choose one.
  renderCuts(cuts) {
    if (!cuts.length) return "";
    const slider = element("input", { type: "range", min: 0, max: cuts.length - 1, value: Math.floor(cuts.length / 2), aria: { label: "Threshold" } });
    const text = element("output", {}), list = element("ol", { className: "groups" });
    const show = () => {
      const { threshold, n_pairs: n, pairs } = cuts[slider.value];
      text.textContent = `Threshold ${formatFixed(threshold, 2)}: accepts at most ${formatCount(n, "pair")}`;
      list.replaceChildren(...pairs.map((pair) => element("li", { className: pair.score >= threshold ? "" : "rejected" }, renderPair(pair))));
    };
    slider.addEventListener("input", show);
    show();
    const apply = button("Use this threshold", () => { this.threshold = cuts[slider.value].threshold; this.decide(this.request()); }, { className: "outlined" });
    const reset = button("Automatic", () => { this.threshold = null; this.decide(this.request()); }, { className: "outlined", hidden: this.threshold === null });
    return element("details", {}, element("summary", {}, "Choose the threshold"), element("p", { className: "muted" }, "Pairs with scores around the threshold; pairs below it are shown in a paler color."),
      element("div", { className: "options-row" }, slider, text, apply, reset), list);
  }

  renderReview(pairs) {
    this.reviewTitle = element("summary", {});
    this.showCount();
    const round = this.renderRound(pairs), details = element("details", { open: this.isReviewing ?? false }, this.reviewTitle, round);
    details.addEventListener("keydown", (event) => { if (details.open && pairs.length) round.press(event); });
    details.addEventListener("toggle", () => { this.isReviewing = details.open; if (details.open) details.querySelector(".judge")?.focus(); });
    return details;
  }

  showCount() { this.reviewTitle.textContent = `Review pairs (${formatNumber(this.load().length)} judged)`; }

  // One pair after the other; after the last one everything is decided again.
  renderRound(pairs) {
    const root = element("div", { className: "judging" });
    let position = 0;
    const judge = (label) => {
      if (position >= pairs.length) return; // it is being decided
      const { id_a: a, id_b: b } = pairs[position];
      if (label !== null) this.store([...this.load().filter(([x, y]) => x !== a || y !== b), [a, b, label]]);
      position += 1;
      if (position < pairs.length) show(); else this.decide(this.request());
    };
    const undo = () => {
      if (!position) return;
      position -= 1;
      const { id_a: a, id_b: b } = pairs[position];
      this.store(this.load().filter(([x, y]) => x !== a || y !== b));
      show();
    };
    const press = (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.key in KEYS) judge(KEYS[event.key]); else if (event.key === "u") undo(); else return;
      event.preventDefault();
    };
    const choice = (text, onclick, className = "outlined") => button(text, onclick, { className });
    const show = () => {
      this.showCount();
      const [same, ...others] = [choice("Same (y)", () => judge(1), "solid judge"), choice("Different (n)", () => judge(0)), choice("Skip (s)", () => judge(null)), choice("Undo (u)", undo)];
      root.replaceChildren(element("p", { className: "muted", aria: { live: "polite" } }, `Pair ${position + 1} of ${pairs.length} in this round. Are both texts about the same thing?`),
        renderPair(pairs[position]), element("div", { className: "row wrap" }, same, ...others, this.renderExport()));
      if (root.isConnected) same.focus();
    };
    root.press = press; // for the keys of the whole section
    if (pairs.length) show(); else root.replaceChildren(element("p", { className: "muted" }, "All pairs are judged."), this.renderExport());
    return root;
  }

  renderExport() {
    return button("Export judgements", () => saveText("judgements.csv", toCsv(["id_a", "id_b", "label"], this.load())), { className: "link" });
  }
}
