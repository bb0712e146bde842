// What is looked at stands in the address, behind the #, where it can be shared and is never sent to a server's log.

export function readAddress() {
  const [view, rest = ""] = location.hash.slice(1).split("?");
  return { view, given: Object.fromEntries(new URLSearchParams(rest)) };
}

// A new view is a step that "back" takes back; what is typed within a view only changes the address.
export function writeAddress(view, given, { step }) {
  const kept = Object.entries(given).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  const rest = new URLSearchParams(kept).toString();
  const wanted = `#${view}${rest ? `?${rest}` : ""}`;
  if (wanted === location.hash) return;
  history[step ? "pushState" : "replaceState"](null, "", wanted);
}
