// One's own texts: brought as a file or by pasting, looked at, learnt from, kept, deleted.
import { complain, get, remove, upload } from "./api.js";
import { Cancelled, followJob, runJob } from "./jobs.js";
import { at, button, counted, languageName, make, many } from "./make.js";
import { Preview } from "./preview.js";

// For those who have nothing at hand and want to see what happens.
const NOTES = [
  "my card was declined at the shop", "payment by card failed", "the payment failed twice", "the shop declined my payment card",
  "I was charged twice for one order", "the refund has not reached my bank", "the invoice shows the wrong amount", "my bank says the payment was refused",
  "I forgot my password", "how do I reset the password", "the login page asks for a code", "my account is locked after three tries",
  "I cannot sign in with my email", "the reset link in the email has expired", "forgot the login and the password", "the code for the login never arrives",
  "where is my parcel", "the parcel has not arrived", "delivery of my parcel is late", "the courier left the box at a wrong address",
  "the tracking says it was delivered", "my delivery has not arrived", "I want to return the parcel", "the box arrived open and empty",
  "the screen of my phone is broken", "the battery is empty after an hour", "the phone is slow since the update", "the charger gets very hot",
  "the camera takes dark pictures", "there is no sound when I call", "a button of the phone is stuck", "the update stops in the middle",
];

let app, send = null; // sends the file that was brought last

export function start(given) {
  app = given;
  const { may_write: may, limits } = app.collections;
  at("bring").hidden = !may;
  if (limits) at("bring-limits").textContent = `At most ${size(limits.upload_bytes)} and ${counted(limits.texts, "text")} a collection, ${counted(limits.collections, "collection")}.`;
  listCollections();
  at("file").addEventListener("change", () => { if (at("file").files.length) bring(at("file").files[0], at("file").files[0].name); });
  at("paste-tries").replaceChildren(button("32 notes to try it with", () => { at("paste").value = NOTES.join("\n"); at("paste").focus(); }));
  at("paste-form").addEventListener("submit", (event) => { event.preventDefault(); paste(); });
  for (const kind of ["dragover", "dragleave", "drop"]) document.addEventListener(kind, (event) => drag(event));
  followEarlier().catch((error) => complain("earlier", error.message));
}

export const state = () => ({});
export function open() {}

const size = (bytes) => (bytes >= 1e9 ? `${many(bytes / 1e9)} GB` : `${many(Math.round(bytes / 1e6))} MB`);

// Anywhere on the page: beside the field, a browser would leave the page and open the file.
function drag(event) {
  if (!event.dataTransfer?.types.includes("Files")) return;
  event.preventDefault();
  const here = app.view === "texts" && !at("bring").hidden;
  at("drop").classList.toggle("over", here && event.type === "dragover");
  const file = event.type === "drop" && event.dataTransfer.files[0];
  if (file && here) bring(file, file.name);
}

// What was begun before this page was opened, or by another, is followed here, and can be ended.
async function followEarlier() {
  const { jobs } = await get("/jobs");
  for (const job of jobs.filter(({ kind, state }) => kind === "collection" && ["queued", "running"].includes(state))) {
    try {
      await followJob(at("earlier-job"), job.id, learning(job.collection));
    } catch (error) {
      if (!(error instanceof Cancelled)) complain("earlier", error.message);
    }
    app.collections = await get("/collections");
    listCollections();
  }
}

function paste() {
  const text = at("paste").value.trim();
  if (text) bring(new Blob([`${text}\n`]), text.split("\n", 1)[0].includes("\t") ? "pasted.tsv" : "pasted.txt");
}

// The file goes to the service, which says what it seems to hold; `header` is whether its first row names columns.
async function bring(file, filename, header = null) {
  const limit = app.collections.limits?.upload_bytes;
  complain("texts", "");
  if (limit && file.size > limit) return complain("texts", `${filename} has ${size(file.size)}: at most ${size(limit)} can be brought. Cut it, or use tacit index.`);
  const place = at(header === null ? "bring" : "preview");
  place.setAttribute("aria-busy", "true");
  try {
    send = () => upload(`/uploads?${new URLSearchParams({ filename, ...(header === null ? {} : { header }) })}`, file);
    const found = await send();
    const preview = new Preview(at("preview"), found, { filename, taken: app.collections.collections.map(({ name }) => name), languages: app.collections.languages ?? [] });
    preview.shown({ back: () => at("bring").hidden = false, train, again: (named) => bring(file, filename, named) });
    at("bring").hidden = true;
    if (header !== null) at("preview").querySelector("[name=header]").focus();
  } catch (error) {
    complain("texts", error.message);
  }
  place.setAttribute("aria-busy", "false");
  at("file").value = "";
  return undefined;
}

async function train(wanted) {
  complain("texts", "");
  at("preview").hidden = true;
  try {
    await learn(wanted).catch(async (error) => {
      if (error.status !== 404) throw error; // a job that was cancelled took the file with it: it is sent again
      return learn({ ...wanted, upload: (await send()).upload });
    });
    app.reopen("search", wanted.name);
  } catch (error) {
    at("preview").hidden = false;
    complain("texts", error instanceof Cancelled ? "Cancelled: nothing was kept." : error.message);
  }
}

const learn = (wanted) => runJob(at("train-job"), "/collections", wanted, learning(wanted.name));
const learning = (name) => `Learning from “${name}”`;

function listCollections() {
  const all = app.collections.collections;
  at("kept").hidden = !all.length;
  at("collections").replaceChildren(...all.map(item));
}

function item(one) {
  const languages = (one.languages ?? []).map((given) => languageName(given.code ?? given)).join(", ");
  const columns = (one.columns ?? []).map(({ name }) => name).join(", ");
  const about = [counted(one.texts, "text"), languages, columns && `columns: ${columns}`, one.created && new Date(one.created).toLocaleDateString("en", { dateStyle: "medium" })];
  return make("li", {}, make("div", {}, make("strong", { dir: "auto" }, one.name), make("p", { className: "soft" }, about.filter(Boolean).join(" · "))),
    button("Search it", () => app.reopen("search", one.name), { className: "outlined", aria: { label: `Search ${one.name}` } }),
    ...(one.deletable ? [deleteButton(one)] : []));
}

// Twice, for it cannot be taken back.
function deleteButton({ name, texts }) {
  const press = button("Delete", async () => {
    if (!press.classList.contains("sure")) {
      press.classList.add("sure");
      press.textContent = `Delete ${counted(texts, "text")}?`;
      setTimeout(() => { press.classList.remove("sure"); press.textContent = "Delete"; }, 5_000);
      return;
    }
    try {
      await remove(`/collections/${encodeURIComponent(name)}`);
      if (app.collection === name || app.about.collection === name) return void app.reopen("texts", null);
      app.collections.collections = app.collections.collections.filter((one) => one.name !== name);
      listCollections();
    } catch (error) {
      complain("texts", error.message);
    }
  }, { className: "outlined", aria: { label: `Delete ${name}` } });
  return press;
}
