// Draws points on a canvas: by WebGL, or without it pixel by pixel, with a margin for panning.
// A renderer receives the view (its center and the pixels per unit), the size of the points, and the shade of each
// point: the number of its group, plus DIM for points that are not highlighted.

export const DIM = 32;
const SHADES = 64; // half of them dim

const VERTEX_SHADER = `
attribute vec2 place; attribute float shade; uniform vec4 view; uniform mediump float size; uniform vec4 colors[${SHADES}]; varying vec4 color;
void main() { gl_Position = vec4((place - view.xy) * view.zw, 0.0, 1.0); gl_PointSize = size; color = colors[int(shade)]; }`;
const FRAGMENT_SHADER = `
precision mediump float; varying vec4 color; uniform float size;
void main() {
  float cover = clamp((0.5 - length(gl_PointCoord - 0.5)) * size + 0.5, 0.0, 1.0) * color.a;
  gl_FragColor = vec4(color.rgb * cover, cover);
}`;

// WebGL that is emulated by the processor is slower than the raster; it is used only if `preferred` is "card".
export function createRenderer(canvas, points, preferred = null) {
  if (preferred === "raster" || (preferred !== "card" && !hasWebGl())) return new RasterRenderer(canvas, points);
  try {
    return new WebGlRenderer(canvas, points);
  } catch {
    const copy = canvas.cloneNode(); // a canvas with a WebGL context cannot have a 2D context
    canvas.replaceWith(copy);
    return new RasterRenderer(copy, points);
  }
}

function hasWebGl() {
  const gl = document.createElement("canvas").getContext("webgl", { failIfMajorPerformanceCaveat: true });
  const debugInfo = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = gl ? String(gl.getParameter(debugInfo ? debugInfo.UNMASKED_RENDERER_WEBGL : gl.RENDERER)) : "none";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return !/^none$|swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

class WebGlRenderer {
  constructor(canvas, points) {
    const gl = canvas.getContext("webgl", { antialias: false, premultipliedAlpha: true });
    Object.assign(this, { gl, canvas, points, name: "card" });
    this.initialize();
    canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => { this.initialize(); this.onRestore?.(); });
  }

  initialize() {
    const { gl } = this, program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, VERTEX_SHADER], [gl.FRAGMENT_SHADER, FRAGMENT_SHADER]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    gl.useProgram(program);
    this.uniforms = Object.fromEntries(["view", "size", "colors"].map((name) => [name, gl.getUniformLocation(program, name)]));
    this.createBuffer("place", program, this.points.xy, 2, gl.FLOAT);
    this.shades = this.createBuffer("shade", program, this.points.group, 1, gl.UNSIGNED_BYTE);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    this.lastShades = null;
  }

  createBuffer(name, program, values, length, kind) {
    const { gl } = this, buffer = gl.createBuffer(), location = gl.getAttribLocation(program, name);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
    gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, length, kind, false, 0, 0);
    return buffer;
  }

  render({ x, y, scale }, size, shades, colors) {
    const { gl, canvas } = this, { width, height } = canvas;
    if (this.lastShades !== shades) {
      gl.bindBuffer(gl.ARRAY_BUFFER, this.shades);
      gl.bufferData(gl.ARRAY_BUFFER, shades, gl.DYNAMIC_DRAW);
      this.lastShades = shades;
    }
    gl.viewport(0, 0, width, height);
    gl.uniform4f(this.uniforms.view, x, y, 2 * scale / width, 2 * scale / height);
    gl.uniform1f(this.uniforms.size, size);
    gl.uniform4fv(this.uniforms.colors, Float32Array.from({ length: 4 * SHADES }, (_, i) => (colors[i >> 2]?.[i & 3] ?? 0) / (i % 4 < 3 ? 255 : 1)));
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.drawArrays(gl.POINTS, 0, this.points.count);
  }
}

class RasterRenderer {
  constructor(canvas, points) {
    Object.assign(this, { canvas, points, name: "raster", key: "", image: null });
    this.context = canvas.getContext("2d");
  }

  // An image larger than the view is drawn once and moved; it is drawn again when the view leaves it.
  render(view, size, shades, colors) {
    const { width, height } = this.canvas, { scale } = view;
    const key = [width, height, scale, size].join(" ");
    let [dx, dy] = this.image ? [Math.round((this.center.x - view.x) * scale), Math.round((view.y - this.center.y) * scale)] : [0, 0];
    if (!this.image || key !== this.key || shades !== this.lastShades || colors !== this.colors || Math.abs(dx) > this.margin.x || Math.abs(dy) > this.margin.y) {
      [this.key, this.lastShades, this.colors, this.center, dx, dy] = [key, shades, colors, { x: view.x, y: view.y }, 0, 0];
      this.draw(view, size, shades, colors);
    }
    this.context.putImageData(this.image, dx - this.margin.x, dy - this.margin.y, this.margin.x - dx, this.margin.y - dy, width, height);
  }

  draw({ x, y, scale }, size, shades, colors) {
    this.margin = { x: Math.ceil(this.canvas.width / 3), y: Math.ceil(this.canvas.height / 3) };
    const width = this.canvas.width + 2 * this.margin.x, height = this.canvas.height + 2 * this.margin.y;
    if (this.image?.width !== width || this.image.height !== height) {
      this.image = new ImageData(width, height);
      this.pixels = new Uint32Array(this.image.data.buffer);
    }
    this.pixels.fill(0);
    const stamp = makeStamp(size), radius = stamp.side / 2, [halfX, halfY] = [width / 2, height / 2], { xy } = this.points;
    const packedColors = Uint32Array.from({ length: SHADES }, (_, i) => packColor(colors[i] ?? [0, 0, 0, 0]));
    const across = (halfX + radius) / scale, along = (halfY + radius) / scale, dots = [];
    const drawDot = (p) => this.stamp(stamp, Math.round(halfX + (xy[2 * p] - x) * scale - radius), Math.round(halfY - (xy[2 * p + 1] - y) * scale - radius), packedColors[shades[p]], width, height);
    this.points.within(x - across, y - along, x + across, y + along, (p) => (shades[p] >= DIM ? drawDot(p) : dots.push(p)));
    dots.forEach(drawDot); // highlighted points are on top
  }

  // Draws a disc with soft edges, blended with the pixels below it.
  stamp({ side, cover }, left, top, packedColor, width, height) {
    const { pixels } = this, color = packedColor & 0xffffff, opacity = packedColor >>> 24;
    const [first, last] = [Math.max(0, -left), Math.min(side, width - left)];
    for (let row = Math.max(0, -top); row < Math.min(side, height - top); row++) {
      const line = (top + row) * width + left;
      for (let column = first; column < last; column++) {
        const part = cover[row * side + column], alpha = opacity * part >> 8;
        if (part === 0) continue;
        const below = pixels[line + column];
        pixels[line + column] = below === 0 ? (alpha << 24 | color) : blend(color, alpha, below);
      }
    }
  }
}

// Blends two colors: red and blue in one step, then green.
function blend(color, opacity, below) {
  const rest = 255 - opacity, alpha = opacity + ((below >>> 24) * rest >> 8);
  const redBlue = (Math.imul(color & 0xff00ff, opacity) + Math.imul(below & 0xff00ff, rest) >>> 8) & 0xff00ff;
  const green = (Math.imul(color & 0x00ff00, opacity) + Math.imul(below & 0x00ff00, rest) >>> 8) & 0x00ff00;
  return alpha << 24 | redBlue | green;
}

const packColor = ([red, green, blue, alpha]) => (Math.round(alpha * 255) << 24 | blue << 16 | green << 8 | red) >>> 0;

// Returns how much of each pixel a disc of this size covers, from 0 to 256.
function makeStamp(size) {
  const side = Math.max(2, Math.ceil(size)), half = side / 2;
  const part = (row, column) => Math.max(0, Math.min(1, size / 2 + 0.5 - Math.hypot(row + 0.5 - half, column + 0.5 - half)));
  return { side, cover: Uint16Array.from({ length: side * side }, (_, i) => Math.round(256 * part(Math.floor(i / side), i % side))) };
}
