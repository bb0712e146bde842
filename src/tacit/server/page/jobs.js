// Long work of the service: begun, followed, and ended when one likes.
import { ask, get, remove } from "./api.js";
import { button, make } from "./make.js";

const LOOK = 400; // milliseconds between two looks at a job

export class Cancelled extends Error {}

// Begins the job at `path` and gives its result; `place` shows how far it is, with a button that ends it.
export async function runJob(place, path, question, what) {
  const { job } = await ask(path, question);
  return followJob(place, job, what);
}

export async function followJob(place, job, what) {
  const bar = make("progress", { max: 1, aria: { label: what } }), told = make("span", { aria: { role: "status" } }, `${what} …`);
  const end = button("Cancel", () => { end.disabled = true; remove(`/jobs/${job}`).catch(() => {}); }, { className: "outlined" });
  place.replaceChildren(bar, told, end);
  place.hidden = false;
  try {
    for (;;) {
      const found = await get(`/jobs/${job}`);
      if (found.state === "done") return found;
      if (found.state === "cancelled") throw new Cancelled("It was cancelled.");
      if (found.state === "failed") throw new Error(reason(found));
      show(bar, told, found, what);
      await new Promise((soon) => setTimeout(soon, LOOK));
    }
  } finally {
    place.hidden = true;
    place.replaceChildren();
  }
}

const reason = ({ error, message }) => error?.message ?? error ?? (message || "It failed.");

function show(bar, told, found, what) {
  if (found.total) bar.value = Math.min(1, found.done / found.total); else bar.removeAttribute("value");
  const words = found.state === "queued" ? `${what}: waiting for its turn` : `${found.message || what}${found.total ? ` (${Math.round(100 * found.done / found.total)} %)` : " …"}`;
  if (told.textContent !== words) told.textContent = words;
}

// Lists in parts, for a result may be long.
export const resultPart = (job, offset, limit) => get(`/jobs/${job}/result?${new URLSearchParams({ offset, limit })}`);
