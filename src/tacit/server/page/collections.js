// The user's collections: upload or paste texts, train on them, list and delete collections.
import { del, get, getBlob, post, showError, upload } from "./api.js";
import { byId, button, element, formatCount, formatNumber, languageName } from "./dom.js";
import { Cancelled, followJob, runJob } from "./jobs.js";
import { UploadPreview } from "./upload_preview.js";

// Small collections that the service brings along: the file, its title, and the view that shows it best.
const SAMPLES = [
  { file: "tickets", title: "Support tickets", about: "240 messages to a shop", view: "search" },
  { file: "products", title: "Product offers", about: "189 offers, some of them twice", view: "duplicates" },
  { file: "survey", title: "Survey answers", about: "220 answers about a workplace", view: "themes" },
];

let app, resendFile = null; // uploads the last file again

export function init(page) {
  app = page;
  const { may_write: mayWrite, limits } = app.collections;
  byId("upload-panel").hidden = !mayWrite;
  if (limits) byId("upload-limits").textContent = `At most ${formatSize(limits.upload_bytes)} and ${formatCount(limits.texts, "text")} per collection, ${formatCount(limits.collections, "collection")}.`;
  renderCollections();
  byId("file").addEventListener("change", () => { if (byId("file").files.length) uploadFile(byId("file").files[0], byId("file").files[0].name); });
  byId("samples").replaceChildren(...SAMPLES.map((sample) => element("button", { type: "button", onclick: () => trySample(sample) }, element("strong", {}, sample.title), element("span", { className: "muted" }, sample.about))));
  byId("paste-form").addEventListener("submit", (event) => { event.preventDefault(); uploadPasted(); });
  for (const type of ["dragover", "dragleave", "drop"]) document.addEventListener(type, (event) => onDrag(event));
  followRunningJobs().catch((error) => showError("running", error.message));
}

export const getState = () => ({});
export function open() {}

const formatSize = (bytes) => (bytes >= 1e9 ? `${formatNumber(bytes / 1e9)} GB` : `${formatNumber(Math.round(bytes / 1e6))} MB`);

// On the whole page: outside of the drop area, a browser would open the file.
function onDrag(event) {
  if (!event.dataTransfer?.types.includes("Files")) return;
  event.preventDefault();
  const canUpload = app.view === "texts" && !byId("upload-panel").hidden;
  byId("drop").classList.toggle("dragover", canUpload && event.type === "dragover");
  const file = event.type === "drop" && event.dataTransfer.files[0];
  if (file && canUpload) uploadFile(file, file.name);
}

// Shows the jobs that were started before this page was opened, or on another page.
async function followRunningJobs() {
  const { jobs } = await get("/jobs");
  for (const job of jobs.filter(({ kind, state }) => kind === "collection" && ["queued", "running"].includes(state))) {
    try {
      await followJob(byId("running-job"), job.id, trainingTitle(job.collection));
    } catch (error) {
      if (!(error instanceof Cancelled)) showError("running", error.message);
    }
    app.collections = await get("/collections");
    renderCollections();
  }
}

function uploadPasted() {
  const text = byId("paste").value.trim();
  if (text) uploadFile(new Blob([`${text}\n`]), text.split("\n", 1)[0].includes("\t") ? "pasted.tsv" : "pasted.txt");
}

// Uploads a file and shows what the service detected in it. `header` says whether its first row has column names.
async function uploadFile(file, filename, header = null) {
  const limit = app.collections.limits?.upload_bytes;
  showError("texts", "");
  if (limit && file.size > limit) return showError("texts", `${filename} has ${formatSize(file.size)}, the limit is ${formatSize(limit)}. Split the file, or use tacit index.`);
  const panel = byId(header === null ? "upload-panel" : "preview");
  panel.setAttribute("aria-busy", "true");
  try {
    resendFile = () => upload(`/uploads?${new URLSearchParams({ filename, ...(header === null ? {} : { header }) })}`, file);
    const detected = await resendFile();
    const existingNames = app.collections.collections.map(({ name }) => name);
    const preview = new UploadPreview(byId("preview"), detected, { filename, existingNames, languages: app.collections.languages ?? [] });
    preview.render({ onBack: () => { byId("upload-panel").hidden = false; }, onSubmit: startTraining, onHeaderChange: (value) => uploadFile(file, filename, value) });
    byId("upload-panel").hidden = true;
    if (header !== null) byId("preview").querySelector("[name=header]").focus();
  } catch (error) {
    showError("texts", error.message);
  }
  panel.setAttribute("aria-busy", "false");
  byId("file").value = "";
  return undefined;
}

async function startTraining(request) {
  showError("texts", "");
  byId("preview").hidden = true;
  try {
    await train(request).catch(async (error) => {
      if (error.status !== 404) throw error; // 404: the file was deleted with a cancelled job
      return train({ ...request, upload: (await resendFile()).upload });
    });
    app.switchCollection("search", request.name);
  } catch (error) {
    byId("preview").hidden = false;
    showError("texts", error instanceof Cancelled ? "Cancelled. Nothing was stored." : error.message);
  }
}

// Trains on a sample and opens the view that shows it; a sample that was tried before is only opened.
async function trySample({ file, view }) {
  const filename = `${file}.csv`, name = `sample ${file}`;
  if (app.collections.collections.some((collection) => collection.name === name)) return app.switchCollection(view, name);
  showError("texts", "");
  byId("upload-panel").hidden = true;
  try {
    const sent = await upload(`/uploads?${new URLSearchParams({ filename })}`, await getBlob(`/static/samples/${filename}`));
    await train({ name, upload: sent.upload });
    return app.switchCollection(view, name);
  } catch (error) {
    byId("upload-panel").hidden = false;
    return showError("texts", error instanceof Cancelled ? "Cancelled. Nothing was stored." : error.message);
  }
}

const train = (request) => runJob(byId("train-job"), "/collections", request, trainingTitle(request.name));
const trainingTitle = (name) => `Training on “${name}”`;

function renderCollections() {
  const { collections } = app.collections;
  byId("collection-list").hidden = !collections.length;
  byId("collections").replaceChildren(...collections.map(renderCollection));
}

function renderCollection(collection) {
  const languages = (collection.languages ?? []).map((language) => languageName(language.code ?? language)).join(", ");
  const columns = (collection.columns ?? []).map(({ name }) => name).join(", ");
  const created = collection.created && new Date(collection.created).toLocaleDateString("en", { dateStyle: "medium" });
  const facts = collection.error ? [collection.error] : [formatCount(collection.texts, "text"), languages, columns && `columns: ${columns}`, created];
  return element("li", {}, element("div", {}, element("strong", { dir: "auto" }, collection.name), element("p", { className: "muted" }, facts.filter(Boolean).join(" · "))),
    collection.error ? retryButton(collection) : button("Search", () => app.switchCollection("search", collection.name), { className: "outlined", aria: { label: `Search ${collection.name}` } }),
    ...(collection.deletable ? [deleteButton(collection)] : []));
}

// For a collection whose folder was repaired.
function retryButton({ name }) {
  return button("Try again", async () => {
    try {
      await post(`/collections/${encodeURIComponent(name)}/reload`);
      app.switchCollection("search", name);
    } catch (error) {
      showError("texts", error.message);
    }
  }, { className: "outlined", aria: { label: `Load ${name} again` } });
}

// Deletes on the second press, because deleting cannot be undone.
function deleteButton({ name, texts }) {
  const press = button("Delete", async () => {
    if (!press.classList.contains("confirming")) {
      press.classList.add("confirming");
      press.textContent = texts ? `Delete ${formatCount(texts, "text")}?` : "Delete this folder?";
      setTimeout(() => { press.classList.remove("confirming"); press.textContent = "Delete"; }, 5_000);
      return;
    }
    try {
      await del(`/collections/${encodeURIComponent(name)}`);
      if (app.collection === name || app.about.collection === name) return void app.switchCollection("texts", null);
      app.collections.collections = app.collections.collections.filter((collection) => collection.name !== name);
      renderCollections();
    } catch (error) {
      showError("texts", error.message);
    }
  }, { className: "outlined", aria: { label: `Delete ${name}` } });
  return press;
}
