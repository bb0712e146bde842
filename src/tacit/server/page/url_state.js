// The state of the views in the URL fragment, where it can be shared and is never sent to the server.

export function readUrlState() {
  const [view, rest = ""] = location.hash.slice(1).split("?");
  return { view, params: Object.fromEntries(new URLSearchParams(rest)) };
}

// With `push`, the browser's back button returns to the previous state.
export function writeUrlState(view, params, { push }) {
  const present = Object.entries(params).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  const rest = new URLSearchParams(present).toString();
  const hash = `#${view}${rest ? `?${rest}` : ""}`;
  if (hash === location.hash) return;
  history[push ? "pushState" : "replaceState"](null, "", hash);
}
