// Names on the map: of the groups where all is seen, of smaller and smaller neighbourhoods the nearer one looks.

const ROOM = 150; // pixels a side that a neighbourhood has before it is named
const FIRST = 8; // neighbourhoods a side at the first level; each further one has twice as many
const LINE = 20;

export const levelAt = (scale) => Math.max(0, Math.floor(Math.log2(2 * scale / ROOM / FIRST)) + 1);

// `labels` are { level, x, y, name, size }, level 0 being the groups. Those of the level come first, the larger before
// the smaller, then coarser ones where there is room; none lies on another, none is said twice. What is `covered`,
// so many pixels wide and high in the lower right corner, stays free.
export function placeLabels(pen, labels, view, width, height, covered = { width: 0, height: 0 }) {
  const level = levelAt(view.scale), taken = [], said = new Set();
  for (let now = level; now >= 0; now--) {
    for (const one of labels.get(now) ?? []) {
      const x = width / 2 + (one.x - view.x) * view.scale, y = height / 2 - (one.y - view.y) * view.scale;
      if (x < 0 || x > width || y < 14 || y > height - 8 || said.has(one.name)) continue;
      one.half ??= pen.measureText(one.name).width / 2 + 5;
      if (x < one.half || x > width - one.half || (x + one.half > width - covered.width && y > height - covered.height)) continue;
      if (taken.some((other) => Math.abs(x - other.x) < one.half + other.half && Math.abs(y - other.y) < LINE)) continue;
      taken.push({ x, y, half: one.half, name: one.name });
      said.add(one.name);
    }
  }
  return taken;
}

export function byLevel(labels) {
  const levels = new Map();
  for (const one of labels) levels.set(one.level, [...(levels.get(one.level) ?? []), one]);
  for (const all of levels.values()) all.sort((a, b) => b.size - a.size);
  return levels;
}
