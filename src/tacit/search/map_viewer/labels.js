// Labels of the map: the groups where the whole map is visible, smaller areas at a larger zoom.

const MIN_AREA_SIZE = 150; // side of a labeled area in pixels
const GRID_SIDE = 8; // areas per side at the first level, doubled at each further level
const LINE_HEIGHT = 20, ASCENT = 13, DESCENT = 4;
const OFFSETS = [0, -1, 1, -2, 2].flatMap((row) => [0, -0.7, 0.7].map((column) => [column, row])); // in half widths and lines
const POINT_COST = 8; // pixels that a label is moved to uncover one point

export const levelAt = (scale) => Math.max(0, Math.floor(Math.log2(2 * scale / MIN_AREA_SIZE / GRID_SIDE)) + 1);

// `labels` are { level, x, y, name, size } by level; level 0 has the groups. Labels of the level of the zoom come
// first, larger areas before smaller ones, then coarser levels where there is space. Labels do not overlap, and no
// name appears twice. The lower right corner of the size `reserved` stays free. `countPoints` returns the number of
// points in a box of the plane: a label is moved a little where it covers fewer of them.
export function placeLabels(context, labels, view, width, height, reserved = { width: 0, height: 0 }, countPoints = () => 0) {
  const placed = [], names = new Set();
  for (let level = levelAt(view.scale); level >= 0; level--) {
    for (const label of labels.get(level) ?? []) {
      let x = width / 2 + (label.x - view.x) * view.scale, y = height / 2 - (label.y - view.y) * view.scale;
      if (x < 0 || x > width || y < 0 || y > height || names.has(label.name)) continue;
      label.half ??= context.measureText(label.name).width / 2 + 5;
      const [dx, dy] = findOffset(label, view.scale, countPoints);
      [x, y] = [x + dx, y + dy];
      if (y < 14 || y > height - 8 || x < label.half || x > width - label.half || (x + label.half > width - reserved.width && y > height - reserved.height)) continue;
      if (placed.some((other) => Math.abs(x - other.x) < label.half + other.half && Math.abs(y - other.y) < LINE_HEIGHT)) continue;
      placed.push({ x, y, half: label.half, name: label.name });
      names.add(label.name);
    }
  }
  return placed;
}

// The offset in pixels at which a label covers the fewest points; it depends on the zoom only, so panning does not change it.
function findOffset(label, scale, countPoints) {
  if (label.scale === scale) return label.offset;
  let minimum = Infinity;
  for (const [column, row] of OFFSETS) {
    const dx = column * label.half, dy = row * LINE_HEIGHT, x = label.x + dx / scale, y = label.y - dy / scale;
    const n = countPoints(x - label.half / scale, y - DESCENT / scale, x + label.half / scale, y + ASCENT / scale);
    const cost = POINT_COST * n + Math.hypot(dx, dy);
    if (cost < minimum) [minimum, label.offset] = [cost, [dx, dy]];
  }
  label.scale = scale;
  return label.offset;
}

export function byLevel(labels) {
  const levels = new Map();
  for (const label of labels) levels.set(label.level, [...(levels.get(label.level) ?? []), label]);
  for (const group of levels.values()) group.sort((a, b) => b.size - a.size);
  return levels;
}
