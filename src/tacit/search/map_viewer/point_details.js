// The text below the map: the text of a point, the words and texts of a selection, or an error.

const HINT = "Similar texts are close together. Point at a dot to read its text; click to select it.";
const HOVER_DELAY = 60; // milliseconds: a moving pointer passes many points

export const element = (name, properties = {}, ...children) => {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...children);
  return node;
};

export class PointDetails {
  constructor(container, { textOf, actions }) {
    Object.assign(this, { container, textOf, actions, requestId: 0, point: null });
    this.showHint();
  }

  showHint() {
    this.requestId += 1;
    this.point = null;
    this.container.replaceChildren(element("p", { textContent: HINT }));
  }

  // Shows the text of a point; responses to earlier requests are ignored.
  async show(number, immediately) {
    if (number < 0) return this.showHint();
    const id = ++this.requestId;
    this.point = null;
    this.container.setAttribute("aria-busy", "true");
    if (!immediately) await new Promise((resolve) => setTimeout(resolve, HOVER_DELAY));
    if (id !== this.requestId) return undefined;
    try {
      const point = await this.textOf(number);
      if (id === this.requestId) this.showPoint(point);
    } catch (error) {
      if (id === this.requestId) this.showError(error.message, () => this.show(number, true));
    }
    if (id === this.requestId) this.container.setAttribute("aria-busy", "false");
    return undefined;
  }

  showPoint(point) {
    this.point = point;
    const buttons = this.actions.map(([name, act]) => element("button", { type: "button", textContent: name, onclick: () => act(point) }));
    const about = element("p", { className: "map-about" }, element("code", { textContent: point.id, title: "Id of the text" }), element("span", { textContent: point.group, dir: "auto" }), ...buttons);
    this.container.replaceChildren(element("p", { className: "text", dir: "auto", textContent: point.text }), about);
  }

  runAction(position) {
    if (this.point) this.actions[position]?.[1](this.point);
  }

  showError(message, retry) {
    this.container.replaceChildren(element("p", { textContent: `${message} ` }, element("button", { type: "button", textContent: "Try again", onclick: retry })));
  }

  // Shows a selection of `count` points; `load` requests its words and texts, `lookAt` shows one of its points.
  async selection(count, load, isCurrent, lookAt) {
    const id = ++this.requestId;
    this.point = null;
    const summary = `${count.toLocaleString("en")} ${count === 1 ? "text" : "texts"} selected.`;
    this.container.replaceChildren(element("p", { textContent: count ? `${summary} Loading …` : "No texts in this area." }));
    if (!count) return;
    try {
      const selection = await load();
      if (id === this.requestId && isCurrent()) this.showSelection(summary, selection, lookAt);
    } catch (error) {
      if (id === this.requestId) this.showError(error.message, () => this.selection(count, load, isCurrent, lookAt));
    }
  }

  showSelection(summary, { words, texts }, lookAt) {
    const list = element("ul", { className: "map-texts" }, ...texts.map(({ text, number }) => element("li", {}, element("button", { type: "button", dir: "auto", textContent: text, onclick: () => lookAt(number) }))));
    const heading = words.length ? [element("p", { className: "map-words", dir: "auto", textContent: words.join(", ") })] : [];
    this.container.replaceChildren(element("p", { textContent: summary }), ...heading, list);
  }
}
