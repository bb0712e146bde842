// A list of groups of texts found by a job, loaded page by page.
import { showError } from "./api.js";
import { byId, button, element, formatNumber } from "./dom.js";
import { renderText } from "./hits.js";
import { Cancelled, getResultPage, runJob } from "./jobs.js";

const PAGE_SIZE = 20, MAX_TEXTS = 5; // groups per page, texts of a group before "Show more"

// `name` is the view's; `summarize(result)` describes all groups, `renderHeader(group)` one, `renderAction(group, i)` a text's button.
export class GroupList {
  constructor(name, { path, createBody, title, summarize, renderHeader, renderAction }) {
    Object.assign(this, { name, path, createBody, title, summarize, renderHeader, renderAction, jobId: null, nShown: 0 });
    byId(`${name}-form`).addEventListener("submit", (event) => { event.preventDefault(); this.run(); });
    byId(`${name}-more`).addEventListener("click", () => this.loadMore());
  }

  async run() {
    const submit = byId(`${this.name}-form`).querySelector("button");
    this.showStatus("");
    submit.disabled = true;
    showError(this.name, "");
    try {
      const job = await runJob(byId(`${this.name}-job`), this.path, this.createBody(), this.title);
      [this.jobId, this.nShown] = [job.id, 0];
      await this.loadMore();
    } catch (error) {
      if (!(error instanceof Cancelled)) showError(this.name, error.message);
      else byId(`${this.name}-status`).textContent = error.message;
    }
    submit.disabled = false;
  }

  async loadMore() {
    const result = await getResultPage(this.jobId, this.nShown, PAGE_SIZE);
    const { groups } = result;
    if (!this.nShown) this.showStatus(this.summarize(result));
    this.nShown += groups.length;
    byId(this.name).append(...groups.map((group) => this.renderGroup(group)));
    byId(`${this.name}-more`).hidden = !groups.length || this.nShown >= result.found;
  }

  // Replaces the list by a message.
  showStatus(text) {
    byId(this.name).replaceChildren();
    byId(`${this.name}-status`).textContent = text;
    byId(`${this.name}-more`).hidden = true;
  }

  renderGroup(group) {
    const list = element("ul", {}), { texts } = group, nHidden = (group.size ?? texts.length) - texts.length;
    const renderRow = (text, i) => element("li", {}, element("div", {}, ...renderText(text)), this.renderAction(group, i) ?? "");
    list.append(...texts.slice(0, MAX_TEXTS).map(renderRow));
    const nMore = Math.max(0, texts.length - MAX_TEXTS);
    const more = button(`Show ${formatNumber(nMore + nHidden)} more`, () => {
      list.append(...texts.slice(MAX_TEXTS).map((text, i) => renderRow(text, i + MAX_TEXTS)));
      if (nHidden > 0) list.append(element("li", {}, `and ${formatNumber(nHidden)} more`));
      more.remove();
    }, { className: "link" });
    return element("li", {}, this.renderHeader(group), list, ...(nMore ? [more] : []));
  }
}
