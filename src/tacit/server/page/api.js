// Talking to the service that brought the page.

export class Refused extends Error {
  constructor(status, message) { super(message); this.status = status; }
}

let token = null;
try { token = sessionStorage.getItem("tacit-token"); } catch { /* storage is off */ }

export function useToken(given) {
  token = given;
  try { sessionStorage.setItem("tacit-token", given); } catch { /* for this page only, then */ }
}

async function call(path, options = {}) {
  const headers = { ...options.headers };
  if (token) headers.authorization = `Bearer ${token}`;
  let answer;
  try {
    answer = await fetch(path, { ...options, headers });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused(0, "The service does not answer. Is it still running?");
  }
  const found = await answer.json();
  if (!answer.ok) throw new Refused(answer.status, found.error?.message ?? `status ${answer.status}`);
  return found;
}

export const get = (path) => call(path);

export const ask = (path, question, signal) => call(path, {
  method: "POST", signal, headers: { "content-type": "application/json" }, body: JSON.stringify(question),
});

// Calls `work` with a signal, a moment after the last of many calls; a newer call ends the one under way.
// One call at a time is kept: what arrives late for an older question is dropped.
export function latest(work, wait) {
  let timer, under = new AbortController();
  return (...given) => {
    clearTimeout(timer);
    under.abort();
    under = new AbortController();
    const signal = under.signal;
    timer = setTimeout(async () => {
      try { await work(signal, ...given); complain(""); } catch (error) {
        if (error.name !== "AbortError" && !signal.aborted) complain(error.message);
      }
    }, wait);
  };
}

export function complain(message) {
  const notice = document.getElementById("notice");
  notice.textContent = message;
  notice.hidden = !message;
}
