// The collection, searched while one types; every result says why it is there.
import { ask, latest } from "./api.js";
import { at, fixed, make, many } from "./make.js";

const update = latest(search, 140);

export function start(about) {
  at("query").addEventListener("input", () => update());
  const spread = about.examples.filter((_, i) => i % Math.ceil(about.examples.length / 4) === 0);
  at("search-tries").replaceChildren(...spread.map((text) => make("button", { type: "button", onclick: () => use(text) }, text)));
  at("search-status").textContent = `${many(about.texts)} texts`;
}

export function shown(query) {
  if (query) use(query);
  at("query").focus();
}

function use(text) {
  at("query").value = text;
  update();
}

async function search(signal) {
  const query = at("query").value.trim();
  if (!query) {
    at("hits").replaceChildren();
    at("search-status").textContent = "";
    return;
  }
  const started = performance.now();
  const { hits, searched } = await ask("/search", { query, k: 10 }, signal);
  const took = Math.max(1, Math.round(performance.now() - started));
  at("hits").replaceChildren(...hits.map(hit));
  at("search-status").textContent = hits.length
    ? `The ${hits.length === 1 ? "one text" : `${hits.length} texts`} most like it among ${many(searched)}, in ${took} ms`
    : `Nothing like it among ${many(searched)} texts`;
}

function hit(found) {
  const columns = Object.entries(found.columns).filter(([, value]) => value !== "" && value !== null && value?.length !== 0).map(([name, value]) => `${name}: ${value}`).join(" · ");
  const percentile = `top ${fixed(Math.max(0.1, 100 - found.percentile), 1)} %`;
  return make("li", {},
    make("div", { className: "grade", title: `It scores higher than ${fixed(found.percentile, 1)} % of random pairs` },
      make("b", {}, fixed(found.score, 2)), make("i", { style: { "--score": Math.max(0, Math.min(1, found.score)) } }), make("span", {}, percentile)),
    make("div", {},
      make("p", { className: "text" }, ...marked(found.text, found.words)),
      because(found.words),
      ...(columns ? [make("p", { className: "columns" }, columns)] : [])));
}

// The words of a text that made the match are marked, the stronger the more.
function marked(text, words) {
  const strength = new Map();
  const strongest = Math.max(1e-9, ...words.map(({ share }) => share));
  for (const { text: word, share } of words) {
    const name = word.toLowerCase();
    strength.set(name, Math.max(strength.get(name) ?? 0, share / strongest));
  }
  return text.split(/([\p{L}\p{N}\p{M}]+)/u).map((piece) => {
    const found = strength.get(piece.toLowerCase());
    return found ? make("mark", { style: { "--strength": (0.2 + 0.8 * found).toFixed(2) } }, piece) : piece;
  });
}

function because(words) {
  const pieces = words.slice(0, 5).flatMap(({ query, text, share }, place) => [
    place ? ", " : "because of ", make("b", {}, query.toLowerCase() === text.toLowerCase() ? text : `${query} ~ ${text}`), ` ${fixed(share, 2)}`]);
  return make("p", { className: "because" }, ...(pieces.length ? pieces : ["because of its spelling"]));
}
