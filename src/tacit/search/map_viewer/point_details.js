// What the map says below itself: the text of a point, the words and texts of a selection, or what failed.

const HINT = "What means something alike lies together. Point at a dot to read it; click to keep it.";
const PASSING = 60; // milliseconds: a pointer on its way passes many points

export const element = (name, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

export class Told {
  constructor(place, { textOf, actions }) {
    Object.assign(this, { place, textOf, actions, asked: 0, shown: null });
    this.hint();
  }

  hint() {
    this.asked += 1;
    this.shown = null;
    this.place.replaceChildren(element("p", { textContent: HINT }));
  }

  // Every text belongs to its point: what comes for an older one is dropped.
  async point(number, now) {
    if (number < 0) return this.hint();
    const mine = ++this.asked;
    this.shown = null;
    this.place.setAttribute("aria-busy", "true");
    if (!now) await new Promise((soon) => setTimeout(soon, PASSING));
    if (mine !== this.asked) return undefined;
    try {
      const found = await this.textOf(number);
      if (mine === this.asked) this.showPoint(found);
    } catch (error) {
      if (mine === this.asked) this.failed(error.message, () => this.point(number, true));
    }
    if (mine === this.asked) this.place.setAttribute("aria-busy", "false");
    return undefined;
  }

  showPoint(found) {
    this.shown = found;
    const buttons = this.actions.map(([name, act]) => element("button", { type: "button", textContent: name, onclick: () => act(found) }));
    const about = element("p", { className: "map-about" }, element("code", { textContent: found.id, title: "Its id" }), element("span", { textContent: found.group, dir: "auto" }), ...buttons);
    this.place.replaceChildren(element("p", { className: "text", dir: "auto", textContent: found.text }), about);
  }

  act(place) {
    if (this.shown) this.actions[place]?.[1](this.shown);
  }

  failed(message, again) {
    this.place.replaceChildren(element("p", { textContent: `${message} ` }, element("button", { type: "button", textContent: "Try again", onclick: again })));
  }

  async selection(count, ask, current, look) {
    const mine = ++this.asked;
    this.shown = null;
    const said = `${count.toLocaleString("en")} ${count === 1 ? "text" : "texts"} selected.`;
    this.place.replaceChildren(element("p", { textContent: count ? `${said} Reading them …` : "Nothing lies within this line." }));
    if (!count) return;
    try {
      const found = await ask();
      if (mine === this.asked && current()) this.showSelection(said, found, look);
    } catch (error) {
      if (mine === this.asked) this.failed(error.message, () => this.selection(count, ask, current, look));
    }
  }

  showSelection(said, { words, texts }, look) {
    const list = element("ul", { className: "map-texts" }, ...texts.map(({ text, number }) => element("li", {}, element("button", { type: "button", dir: "auto", textContent: text, onclick: () => look(number) }))));
    const named = words.length ? [element("p", { className: "map-words", dir: "auto", textContent: words.join(", ") })] : [];
    this.place.replaceChildren(element("p", { textContent: said }), ...named, list);
  }
}
