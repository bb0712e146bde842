// Talking to the service that brought the page.

export class Refused extends Error {
  constructor(status, message) { super(message); this.status = status; }
}

let token = null, collection = null;
try { token = sessionStorage.getItem("tacit-token"); } catch { /* storage is off */ }

export function useToken(given) {
  token = given;
  try { sessionStorage.setItem("tacit-token", given); } catch { /* for this page only, then */ }
}

// Every question is about this collection; null is the service's own choice.
export function useCollection(name) { collection = name; }

export const inCollection = (path) => (collection === null ? path : `${path}?${new URLSearchParams({ collection })}`);

async function fetched(path, options = {}) {
  const headers = { ...options.headers };
  if (token) headers.authorization = `Bearer ${token}`;
  let answer;
  try {
    answer = await fetch(path, { ...options, headers });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused(0, "The service does not answer. Is it still running?");
  }
  if (answer.ok) return answer;
  const found = await answer.json().catch(() => ({}));
  throw new Refused(answer.status, found.error?.message ?? `The service refused this (status ${answer.status}).`);
}

const OF_NO_COLLECTION = new Set(["/collections", "/classify"]);

const read = async (answer) => (answer.status === 204 ? null : (await answer).json());

export const get = async (path, signal) => read(await fetched(path, { signal }));
export const getBytes = async (path, signal) => (await fetched(path, { signal })).arrayBuffer();
export const remove = async (path) => read(await fetched(path, { method: "DELETE" }));
export const upload = async (path, body, signal) => read(await fetched(path, {
  method: "POST", signal, headers: { "content-type": "application/octet-stream" }, body,
}));
export const ask = async (path, question, signal) => read(await fetched(path, {
  method: "POST", signal, headers: { "content-type": "application/json" },
  body: JSON.stringify(collection === null || OF_NO_COLLECTION.has(path) ? question : { collection, ...question }),
}));

// A question that is asked again and again, of which the newest alone counts. A moment after the last call `work` is
// given a signal; a newer call ends the one under way, and what still arrives for it is dropped. `region` is busy
// meanwhile. A refusal is said, and `clear` takes away what stood there for an older question.
export function latest({ name, region, work, clear = () => {}, wait = 0 }) {
  let timer, under = new AbortController();
  return (...given) => {
    clearTimeout(timer);
    under.abort();
    under = new AbortController();
    const { signal } = under;
    region.setAttribute("aria-busy", "true");
    timer = setTimeout(async () => {
      let refusal = "";
      try {
        const show = await work(signal, ...given);
        if (signal.aborted) return;
        show?.();
      } catch (error) {
        if (signal.aborted) return;
        clear();
        refusal = error.message;
      }
      region.setAttribute("aria-busy", "false");
      complain(name, refusal);
    }, wait);
  };
}

// What went wrong, by what it belongs to: one thing that works does not silence another that does not.
const complaints = new Map();

export function complain(name, message) {
  if (message) complaints.set(name, message); else complaints.delete(name);
  tellComplaints();
}

export function forgetComplaints() {
  complaints.clear();
  tellComplaints();
}

function tellComplaints() {
  const notice = document.getElementById("notice"), said = [...new Set(complaints.values())].join("\n");
  if (notice.textContent !== said) notice.textContent = said;
  notice.hidden = !said;
}
