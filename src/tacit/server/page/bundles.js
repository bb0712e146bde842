// A list of groups of texts that long work of the service has found, shown a part at a time.
import { complain } from "./api.js";
import { textOf } from "./hits.js";
import { Cancelled, resultPart, runJob } from "./jobs.js";
import { at, button, make, many } from "./make.js";

const PART = 20, TEXTS = 5;

// `name` is that of the view; `told(result)` says what was found, `head(group)` what stands above a group's texts.
export class Bundles {
  constructor(name, { path, question, what, told, head, act }) {
    Object.assign(this, { name, path, question, what, told, head, act, job: null, seen: 0 });
    at(`${name}-form`).addEventListener("submit", (event) => { event.preventDefault(); this.run(); });
    at(`${name}-more`).addEventListener("click", () => this.more());
  }

  async run() {
    const submit = at(`${this.name}-form`).querySelector("button");
    this.tell([], "");
    submit.disabled = true;
    complain(this.name, "");
    try {
      const found = await runJob(at(`${this.name}-job`), this.path, this.question(), this.what);
      [this.job, this.seen] = [found.id, 0];
      await this.more();
    } catch (error) {
      if (!(error instanceof Cancelled)) complain(this.name, error.message);
      else at(`${this.name}-status`).textContent = error.message;
    }
    submit.disabled = false;
  }

  async more() {
    const result = await resultPart(this.job, this.seen, PART);
    const { groups } = result;
    if (!this.seen) this.tell([], this.told(result));
    this.seen += groups.length;
    at(this.name).append(...groups.map((group) => this.item(group)));
    at(`${this.name}-more`).hidden = !groups.length || this.seen >= result.found;
  }

  tell(items, words) {
    at(this.name).replaceChildren(...items);
    at(`${this.name}-status`).textContent = words;
    at(`${this.name}-more`).hidden = true;
  }

  item(group) {
    const list = make("ul", {}), lines = group.texts.map((text, i) => () => make("li", {}, make("div", {}, ...textOf(text)), this.act?.(group, i) ?? ""));
    list.append(...lines.slice(0, TEXTS).map((line) => line()));
    const rest = lines.slice(TEXTS), untold = (group.size ?? lines.length) - lines.length;
    const all = button(`Show ${many(rest.length + untold)} more`, () => {
      list.append(...rest.map((line) => line()), ...(untold > 0 ? [make("li", {}, `and ${many(untold)} more`)] : []));
      all.remove();
    }, { className: "link" });
    return make("li", {}, this.head(group), list, ...(rest.length ? [all] : []));
  }
}
