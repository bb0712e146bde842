// Requests to the service, and the messages shown when one fails.

export class ApiError extends Error {
  constructor(status, message) { super(message); this.status = status; }
}

let token = null, collection = null;
try { token = sessionStorage.getItem("tacit-token"); } catch { /* storage is disabled */ }

export function setToken(value) {
  token = value;
  try { sessionStorage.setItem("tacit-token", value); } catch { /* kept until the page is closed */ }
}

// All requests are about this collection; null is the default one.
export function setCollection(name) { collection = name; }

export function withCollection(path, params = {}) {
  const query = new URLSearchParams({ ...(collection === null ? {} : { collection }), ...params });
  return query.size ? `${path}?${query}` : path;
}

async function request(path, options = {}) {
  const headers = { ...options.headers };
  if (token) headers.authorization = `Bearer ${token}`;
  let response;
  try {
    response = await fetch(path, { ...options, headers });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, "The service does not respond. Is it still running?");
  }
  if (response.ok) return response;
  const body = await response.json().catch(() => ({}));
  throw new ApiError(response.status, body.error?.message ?? `The service responded with an error (status ${response.status}).`);
}

const PATHS_WITHOUT_COLLECTION = new Set(["/collections", "/classify"]);

const parseBody = async (response) => (response.status === 204 ? null : response.json());

export const get = async (path, signal) => parseBody(await request(path, { signal }));
export const getBytes = async (path, signal) => (await request(path, { signal })).arrayBuffer();
export const getBlob = async (path) => (await request(path)).blob();
export const del = async (path) => parseBody(await request(path, { method: "DELETE" }));
export const upload = async (path, body, signal) => parseBody(await request(path, {
  method: "POST", signal, headers: { "content-type": "application/octet-stream" }, body,
}));
export const post = async (path, body, signal) => parseBody(await request(path, {
  method: "POST", signal, headers: { "content-type": "application/json" },
  body: JSON.stringify(collection === null || PATHS_WITHOUT_COLLECTION.has(path) ? body : { collection, ...body }),
}));

// Returns a function that runs `work` some milliseconds after its last call; a newer call cancels an older one.
// `work` gets an abort signal and returns a function that shows the result. `region` is busy meanwhile. After an
// error, `clear` removes the old result and the message is shown.
export function debounceLatest({ name, region, work, clear = () => {}, wait = 0 }) {
  let timer, controller = new AbortController();
  return (...values) => {
    clearTimeout(timer);
    controller.abort();
    controller = new AbortController();
    const { signal } = controller;
    region.setAttribute("aria-busy", "true");
    timer = setTimeout(async () => {
      let message = "";
      try {
        const show = await work(signal, ...values);
        if (signal.aborted) return;
        show?.();
      } catch (error) {
        if (signal.aborted) return;
        clear();
        message = error.message;
      }
      region.setAttribute("aria-busy", "false");
      showError(name, message);
    }, wait);
  };
}

// Error messages by the part of the page they belong to: success in one part does not hide the error of another.
const errors = new Map();

export function showError(name, message) {
  if (message) errors.set(name, message); else errors.delete(name);
  renderErrors();
}

export function clearErrors() {
  errors.clear();
  renderErrors();
}

function renderErrors() {
  const notice = document.getElementById("notice"), text = [...new Set(errors.values())].join("\n");
  if (notice.textContent !== text) notice.textContent = text;
  notice.hidden = !text;
}
