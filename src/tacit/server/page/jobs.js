// Start a long operation, follow its progress, and cancel it.
import { del, get, post } from "./api.js";
import { button, element } from "./dom.js";

const POLL_MS = 400;

export class Cancelled extends Error {}

// Starts the job at `path` and returns it when it is done; `container` shows its progress and a button to cancel it.
export async function runJob(container, path, body, title) {
  const { job } = await post(path, body);
  return followJob(container, job, title);
}

export async function followJob(container, id, title) {
  const bar = element("progress", { max: 1, aria: { label: title } }), status = element("span", { aria: { role: "status" } }, `${title} …`);
  const cancel = button("Cancel", () => { cancel.disabled = true; del(`/jobs/${id}`).catch(() => {}); }, { className: "outlined" });
  container.replaceChildren(bar, status, cancel);
  container.hidden = false;
  try {
    for (;;) {
      const job = await get(`/jobs/${id}`);
      if (job.state === "done") return job;
      if (job.state === "cancelled") throw new Cancelled("Cancelled.");
      if (job.state === "failed") throw new Error(failureMessage(job));
      showProgress(bar, status, job, title);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  } finally {
    container.hidden = true;
    container.replaceChildren();
  }
}

const failureMessage = ({ error, message }) => error?.message ?? error ?? (message || "The job failed.");

function showProgress(bar, status, job, title) {
  if (job.total) bar.value = Math.min(1, job.done / job.total); else bar.removeAttribute("value");
  const percent = job.total ? ` (${Math.round(100 * job.done / job.total)} %)` : " …";
  const text = job.state === "queued" ? `${title}: waiting for other jobs` : `${job.message || title}${percent}`;
  if (status.textContent !== text) status.textContent = text;
}

export const getResultPage = (id, offset, limit) => get(`/jobs/${id}/result?${new URLSearchParams({ offset, limit })}`);
