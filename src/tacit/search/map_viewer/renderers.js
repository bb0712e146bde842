// Points on a canvas: by the graphics card, or, where there is none, pixel by pixel with a margin to pan in.
// A painter is given the view (its middle and how many pixels are one unit), the size and the shade of every point:
// the number of its group, and DIM beyond that for points that are not meant.

export const DIM = 32;
const SHADES = 64; // half of them dim

const CORNERS = `
attribute vec2 place; attribute float shade; uniform vec4 view; uniform mediump float size; uniform vec4 colours[${SHADES}]; varying vec4 colour;
void main() { gl_Position = vec4((place - view.xy) * view.zw, 0.0, 1.0); gl_PointSize = size; colour = colours[int(shade)]; }`;
const PIXELS = `
precision mediump float; varying vec4 colour; uniform float size;
void main() {
  float cover = clamp((0.5 - length(gl_PointCoord - 0.5)) * size + 0.5, 0.0, 1.0) * colour.a;
  gl_FragColor = vec4(colour.rgb * cover, cover);
}`;

// A card that is only imitated by the processor is slower than the raster: it is not taken unless `wanted`.
export function makePainter(canvas, points, wanted = null) {
  if (wanted === "raster" || (wanted !== "card" && !hasCard())) return new RasterPainter(canvas, points);
  try {
    return new CardPainter(canvas, points);
  } catch {
    const other = canvas.cloneNode(); // a canvas that was a card's is no other's
    canvas.replaceWith(other);
    return new RasterPainter(other, points);
  }
}

function hasCard() {
  const card = document.createElement("canvas").getContext("webgl", { failIfMajorPerformanceCaveat: true });
  const told = card?.getExtension("WEBGL_debug_renderer_info");
  const name = card ? String(card.getParameter(told ? told.UNMASKED_RENDERER_WEBGL : card.RENDERER)) : "none";
  card?.getExtension("WEBGL_lose_context")?.loseContext();
  return !/^none$|swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

class CardPainter {
  constructor(canvas, points) {
    const card = canvas.getContext("webgl", { antialias: false, premultipliedAlpha: true });
    Object.assign(this, { card, canvas, points, name: "card" });
    this.setUp();
    canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => { this.setUp(); this.lost?.(); });
  }

  setUp() {
    const { card } = this, program = card.createProgram();
    for (const [kind, text] of [[card.VERTEX_SHADER, CORNERS], [card.FRAGMENT_SHADER, PIXELS]]) {
      const shader = card.createShader(kind);
      card.shaderSource(shader, text);
      card.compileShader(shader);
      card.attachShader(program, shader);
    }
    card.linkProgram(program);
    if (!card.getProgramParameter(program, card.LINK_STATUS)) throw new Error(card.getProgramInfoLog(program));
    card.useProgram(program);
    this.at = Object.fromEntries(["view", "size", "colours"].map((name) => [name, card.getUniformLocation(program, name)]));
    this.fill("place", program, this.points.xy, 2, card.FLOAT);
    this.shades = this.fill("shade", program, this.points.group, 1, card.UNSIGNED_BYTE);
    card.enable(card.BLEND);
    card.blendFunc(card.ONE, card.ONE_MINUS_SRC_ALPHA);
    this.drawn = null;
  }

  fill(name, program, values, length, kind) {
    const { card } = this, buffer = card.createBuffer(), place = card.getAttribLocation(program, name);
    card.bindBuffer(card.ARRAY_BUFFER, buffer);
    card.bufferData(card.ARRAY_BUFFER, values, card.STATIC_DRAW);
    card.enableVertexAttribArray(place);
    card.vertexAttribPointer(place, length, kind, false, 0, 0);
    return buffer;
  }

  paint({ x, y, scale }, size, shades, colours) {
    const { card, canvas } = this, { width, height } = canvas;
    if (this.drawn !== shades) {
      card.bindBuffer(card.ARRAY_BUFFER, this.shades);
      card.bufferData(card.ARRAY_BUFFER, shades, card.DYNAMIC_DRAW);
      this.drawn = shades;
    }
    card.viewport(0, 0, width, height);
    card.uniform4f(this.at.view, x, y, 2 * scale / width, 2 * scale / height);
    card.uniform1f(this.at.size, size);
    card.uniform4fv(this.at.colours, Float32Array.from({ length: 4 * SHADES }, (_, i) => (colours[i >> 2]?.[i & 3] ?? 0) / (i % 4 < 3 ? 255 : 1)));
    card.clear(card.COLOR_BUFFER_BIT);
    card.drawArrays(card.POINTS, 0, this.points.count);
  }
}

class RasterPainter {
  constructor(canvas, points) {
    Object.assign(this, { canvas, points, name: "raster", key: "", image: null });
    this.pen = canvas.getContext("2d");
  }

  // A picture larger than the view is drawn once and moved under it; drawn anew where the view leaves it.
  paint(view, size, shades, colours) {
    const { width, height } = this.canvas, { scale } = view;
    const key = [width, height, scale, size].join(" ");
    let [dx, dy] = this.image ? [Math.round((this.middle.x - view.x) * scale), Math.round((view.y - this.middle.y) * scale)] : [0, 0];
    if (!this.image || key !== this.key || shades !== this.drawn || colours !== this.colours || Math.abs(dx) > this.margin.x || Math.abs(dy) > this.margin.y) {
      [this.key, this.drawn, this.colours, this.middle, dx, dy] = [key, shades, colours, { x: view.x, y: view.y }, 0, 0];
      this.draw(view, size, shades, colours);
    }
    this.pen.putImageData(this.image, dx - this.margin.x, dy - this.margin.y, this.margin.x - dx, this.margin.y - dy, width, height);
  }

  draw({ x, y, scale }, size, shades, colours) {
    this.margin = { x: Math.ceil(this.canvas.width / 3), y: Math.ceil(this.canvas.height / 3) };
    const width = this.canvas.width + 2 * this.margin.x, height = this.canvas.height + 2 * this.margin.y;
    if (this.image?.width !== width || this.image.height !== height) {
      this.image = new ImageData(width, height);
      this.pixels = new Uint32Array(this.image.data.buffer);
    }
    this.pixels.fill(0);
    const stamp = stampOf(size), reach = stamp.side / 2, [halfX, halfY] = [width / 2, height / 2], { xy } = this.points;
    const inks = Uint32Array.from({ length: SHADES }, (_, i) => packed(colours[i] ?? [0, 0, 0, 0]));
    const across = (halfX + reach) / scale, along = (halfY + reach) / scale, faint = [];
    const dot = (p) => this.stamp(stamp, Math.round(halfX + (xy[2 * p] - x) * scale - reach), Math.round(halfY - (xy[2 * p + 1] - y) * scale - reach), inks[shades[p]], width, height);
    this.points.within(x - across, y - along, x + across, y + along, (p) => (shades[p] >= DIM ? dot(p) : faint.push(p)));
    faint.forEach(dot); // what is meant lies above what is not
  }

  // A disc with soft edges; its ink is mixed with what is there already.
  stamp({ side, cover }, left, top, ink, width, height) {
    const { pixels } = this, colour = ink & 0xffffff, share = ink >>> 24;
    const [first, last] = [Math.max(0, -left), Math.min(side, width - left)];
    for (let row = Math.max(0, -top); row < Math.min(side, height - top); row++) {
      const line = (top + row) * width + left;
      for (let column = first; column < last; column++) {
        const part = cover[row * side + column], alpha = share * part >> 8;
        if (part === 0) continue;
        const under = pixels[line + column];
        pixels[line + column] = under === 0 ? (alpha << 24 | colour) : mixed(colour, alpha, under);
      }
    }
  }
}

// Two colours in one step, red and blue beside each other, then green; opaquer than each alone.
function mixed(colour, share, under) {
  const rest = 255 - share, alpha = share + ((under >>> 24) * rest >> 8);
  const redBlue = (Math.imul(colour & 0xff00ff, share) + Math.imul(under & 0xff00ff, rest) >>> 8) & 0xff00ff;
  const green = (Math.imul(colour & 0x00ff00, share) + Math.imul(under & 0x00ff00, rest) >>> 8) & 0x00ff00;
  return alpha << 24 | redBlue | green;
}

const packed = ([red, green, blue, alpha]) => (Math.round(alpha * 255) << 24 | blue << 16 | green << 8 | red) >>> 0;

// How much of each pixel a disc of this size covers, of 256.
function stampOf(size) {
  const side = Math.max(2, Math.ceil(size)), half = side / 2;
  const part = (row, column) => Math.max(0, Math.min(1, size / 2 + 0.5 - Math.hypot(row + 0.5 - half, column + 0.5 - half)));
  return { side, cover: Uint16Array.from({ length: side * side }, (_, i) => Math.round(256 * part(Math.floor(i / side), i % side))) };
}
