// A view of a job: starts it, shows its progress, then the list that it found, loaded page by page.
import { showError } from "./api.js";
import { byId } from "./dom.js";
import { Cancelled, getResultPage, runJob } from "./jobs.js";

const PAGE_SIZE = 20;

export class JobList {
  // `name` is the view's; `title` describes the work, `summarize(result)` what was found, `renderItem(item)` one row.
  // `onDone(job)` is called before the list is loaded; with `getItems(result)` the result itself has the whole list.
  constructor(name, { path, createBody, title, summarize, renderItem, getItems = null, onDone = () => {} }) {
    Object.assign(this, { name, path, createBody, title, summarize, renderItem, getItems, onDone, job: null, nShown: 0 });
    byId(`${name}-form`).addEventListener("submit", (event) => { event.preventDefault(); this.run(); });
    byId(`${name}-more`).addEventListener("click", () => this.loadMore());
  }

  // Runs the job; `changes` are fields of the request that decide again on the result of the last job.
  async run(changes = null) {
    const submit = byId(`${this.name}-form`).querySelector("button");
    submit.disabled = true;
    showError(this.name, "");
    if (!changes) this.clear();
    try {
      const again = changes && this.job ? { ...changes, job: this.job.id } : { ...changes };
      this.job = await this.start({ ...this.createBody(), ...again });
      this.clear();
      byId(`${this.name}-status`).textContent = this.summarize(this.job.result);
      this.onDone(this.job);
      if (this.getItems) this.append(this.getItems(this.job.result)); else await this.loadMore();
    } catch (error) {
      if (!(error instanceof Cancelled)) showError(this.name, error.message);
      else byId(`${this.name}-status`).textContent = error.message;
    }
    submit.disabled = false;
  }

  // The service forgets old jobs: then everything is computed again.
  async start(body) {
    const container = byId(`${this.name}-job`);
    return runJob(container, this.path, body, this.title).catch((error) => {
      if (error.status !== 404 || !body.job) throw error;
      return runJob(container, this.path, { ...body, job: null }, this.title);
    });
  }

  async loadMore() {
    const { groups, found } = await getResultPage(this.job.id, this.nShown, PAGE_SIZE);
    this.append(groups);
    byId(`${this.name}-more`).hidden = !groups.length || this.nShown >= found;
  }

  append(items) {
    this.nShown += items.length;
    byId(this.name).append(...items.map((item) => this.renderItem(item)));
  }

  // Forgets the job, so that the next one does not start with its result.
  reset() {
    this.job = null;
    this.clear();
  }

  clear() {
    this.nShown = 0;
    byId(this.name).replaceChildren();
    byId(`${this.name}-status`).textContent = "";
    byId(`${this.name}-more`).hidden = true;
  }
}
