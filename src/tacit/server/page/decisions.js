// What links and duplicates have in common: export, the choice of a threshold, and the review of pairs.
import { get, post, showError, withCollection } from "./api.js";
import { saveJobFile, saveText, toCsv } from "./csv_export.js";
import { button, element, formatCount, formatFixed, formatNumber } from "./dom.js";
import { renderPair } from "./pairs.js";

const KEYS = { y: 1, n: 0, s: null }; // same, different, skip
const COLUMNS = ["id_a", "id_b", "label"];

export class Decisions {
  // `files` are [name, label] of what can be exported, `scope()` has the name of the other collection, if any, and
  // `decide(changes)` runs the job again. The service stores the judgements.
  constructor(container, { files, decide, scope = () => ({}) }) {
    Object.assign(this, { container, files, decide, scope, threshold: null, nJudged: 0, history: [] });
  }

  // Fields of a request: the threshold, if one was chosen.
  request() { return this.threshold === null ? {} : { threshold: this.threshold }; }

  // Forgets the threshold and hides the tools: another list was chosen.
  reset() {
    Object.assign(this, { threshold: null, history: [] });
    this.container.hidden = true;
  }

  loadJudgements() { return get(withCollection("/judgements", this.scope())); }

  // Stores a judgement, null withdraws it; returns whether that succeeded.
  async store({ id_a, id_b }, label) {
    try {
      this.nJudged = (await post("/judgements", { ...this.scope(), judgements: [{ id_a, id_b, label }] })).stored;
      showError("judgements", "");
      return true;
    } catch (error) {
      showError("judgements", error.message);
      return false;
    }
  }

  async onDone(job) {
    await this.loadJudgements().then(({ judgements }) => { this.nJudged = judgements.length; }, (error) => showError("judgements", error.message));
    this.render(job);
  }

  render({ id, result }) {
    const exports = this.files.map(([name, label]) => button(label, () => saveJobFile(id, name).catch((error) => showError("export", error.message)), { className: "outlined" }));
    this.container.replaceChildren(element("div", { className: "row wrap" }, ...exports), ...this.renderNotes(result), this.renderCuts(result.cuts), this.renderReview(result.next));
    this.container.hidden = false;
  }

  renderNotes({ notes }) { return notes.map((note) => element("p", { className: "muted" }, `${note[0].toUpperCase()}${note.slice(1)}.`)); }

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

  showCount() { this.reviewTitle.textContent = `Review pairs (${formatNumber(this.nJudged)} judged)`; }

  // One pair after the other; after the last one everything is decided again.
  renderRound(nextPairs) {
    const root = element("div", { className: "judging" }), pairs = [...nextPairs];
    let position = 0, isBusy = false; // while a judgement is stored, or everything is decided again
    const run = async (work) => {
      if (isBusy || position >= pairs.length) return;
      isBusy = true;
      await work();
      isBusy = false;
      if (position < pairs.length) show(); else this.decide(this.request());
    };
    const judge = (label) => run(async () => {
      const pair = pairs[position];
      if (label !== null && !await this.store(pair, label)) return;
      if (label !== null) this.history.push(pair);
      position += 1;
    });
    const undo = () => run(async () => {
      const pair = this.history.at(-1);
      if (!pair || !await this.store(pair, null)) return;
      this.history.pop();
      if (pairs[position - 1] === pair) position -= 1; else pairs.splice(position, 0, pair);
    });
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
    const save = () => this.loadJudgements().then(({ judgements }) => saveText("judgements.csv", toCsv(COLUMNS, judgements.map((row) => COLUMNS.map((name) => row[name])))));
    return button("Export judgements", () => save().catch((error) => showError("export", error.message)), { className: "link" });
  }
}
