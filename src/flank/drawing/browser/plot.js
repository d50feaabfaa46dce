// Curves in SVG: read off by pointer and keys, zoomed, lines put on and off, marked where a motion is.

import { angleTicks, decode, placeOf, quantityText, tickTexts, ticks } from "./numbers.js";
import { element } from "./stage.js";

const HEIGHT = 300;
const SIDES = { left: 62, right: 14, top: 22, bottom: 40 };
const COLOURS = 8;
const MOST_POINTS = 4; // drawn to a px of width
const LETTER = 7; // px of a digit
const APART = 14; // px between texts of an axis

export class Plot {
  constructor(parent, curve, tell = () => {}) {
    this.tell = tell; // called with the number of a sample along the abscissa
    this.hidden = new Set();
    this.svg = element("svg", { class: "flank-plot", tabindex: "0", role: "application", "aria-roledescription": "plot" });
    this.output = element("output", { class: "flank-reading", "aria-live": "polite" });
    this.keys = element("div", { class: "flank-lines", role: "group" });
    this.heading = element("h3", { class: "flank-title" });
    this.holder = element("div", { class: "flank-curve" }, this.heading, this.svg, this.output, this.keys);
    parent.append(this.holder);
    this.listen();
    this.take(curve);
  }

  /** Another curve, or the same with other values; zoom and cursor stay where they can. */
  take(curve) {
    const same = this.curve && this.curve.name === curve.name && this.along === curve.x.title;
    this.curve = curve;
    this.along = curve.x.title;
    const shared = curve.abscissa ? decode(curve.abscissa).values : null;
    this.lines = curve.lines.map((line) => ({
      name: line.name,
      x: line.abscissa ? decode(line.abscissa).values : shared,
      y: decode(line.values).values,
    }));
    for (const line of this.lines) line.rising = isRising(line.x);
    if (!same) {
      this.window = null;
      this.cursor = null;
      this.hidden.clear();
    }
    this.extent = this.extentOf();
    this.heading.textContent = curve.title + (curve.left_out ? ` (${curve.left_out} smaller lines left out)` : "");
    this.svg.setAttribute("aria-label", `${curve.title} over ${curve.x.title}. Left and right move the cursor, plus and minus zoom, 0 shows all.`);
    this.buildKeys();
    this.draw();
  }

  extentOf() {
    const box = [Infinity, Infinity, -Infinity, -Infinity];
    for (const line of this.shown()) {
      for (let k = 0; k < line.x.length; k++) {
        if (!Number.isFinite(line.y[k]) || !Number.isFinite(line.x[k])) continue;
        box[0] = Math.min(box[0], line.x[k]);
        box[1] = Math.min(box[1], line.y[k]);
        box[2] = Math.max(box[2], line.x[k]);
        box[3] = Math.max(box[3], line.y[k]);
      }
    }
    if (this.curve.kind === "orders") this.limitOrders(box);
    const pad = 0.06 * (box[3] - box[1]) || Math.abs(box[3]) * 0.1 || 1;
    if (this.curve.kind !== "orders") box[1] -= pad;
    box[3] += pad;
    return box;
  }

  /** Orders reach far beyond the last that can be seen. */
  limitOrders(box) {
    const [line] = this.lines;
    const largest = Math.max(...line.y);
    let last = 8;
    for (let k = 0; k < line.x.length; k++) if (line.y[k] > 0.01 * largest) last = line.x[k];
    const named = (this.curve.marks || []).map(({ at }) => at);
    box[0] = 0;
    box[1] = 0;
    box[2] = Math.min(Math.max(1.08 * last, 2.2 * Math.max(0, ...named), 8), line.x[line.x.length - 1]);
  }

  shown() {
    const left = this.lines.filter((line) => !this.hidden.has(line.name));
    return left.length ? left : this.lines;
  }

  buildKeys() {
    this.keys.replaceChildren();
    this.keys.hidden = this.lines.length < 2;
    this.keys.setAttribute("aria-label", "Lines");
    this.lines.forEach((line, k) => {
      const key = element("button", { type: "button", class: `flank-line-key flank-c${k % COLOURS}`, "aria-pressed": String(!this.hidden.has(line.name)) }, line.name);
      key.addEventListener("click", () => {
        if (this.hidden.has(line.name)) this.hidden.delete(line.name);
        else this.hidden.add(line.name);
        key.setAttribute("aria-pressed", String(!this.hidden.has(line.name)));
        this.extent = this.extentOf();
        this.draw();
      });
      this.keys.append(key);
    });
  }

  get inside() {
    return [SIDES.left, SIDES.top, this.width - SIDES.left - SIDES.right, HEIGHT - SIDES.top - SIDES.bottom];
  }

  toX(value) {
    const [low, , high] = this.box;
    return SIDES.left + ((value - low) / (high - low)) * this.inside[2];
  }

  toY(value) {
    const [, low, , high] = this.box;
    return SIDES.top + (1 - (value - low) / (high - low)) * this.inside[3];
  }

  draw() {
    this.width = Math.max(this.holder.clientWidth, 200);
    const [x0, y0, width, height] = this.inside;
    this.box = this.window ? this.windowBox() : this.extent;
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${HEIGHT}`);
    this.svg.setAttribute("height", HEIGHT);
    this.svg.replaceChildren();
    this.drawAxes(x0, y0, width, height);
    const inner = element("svg", { x: x0, y: y0 - 4, width, height: height + 8, viewBox: `${x0} ${y0 - 4} ${width} ${height + 8}` });
    this.lines.forEach((line, k) => {
      if (!this.shown().includes(line)) return;
      inner.append(element("path", { d: this.pathOf(line), class: `flank-data flank-c${k % COLOURS}` }));
    });
    this.marker = element("g", { class: "flank-marker" });
    this.pointer = element("g", { class: "flank-cursor" });
    this.band = element("rect", { class: "flank-band", y: y0, height, width: 0 });
    inner.append(this.band, this.marker, this.pointer);
    this.svg.append(inner);
    this.showCursor();
    if (this.marked !== undefined) this.mark(this.marked);
  }

  /** The window over x, and all that lines reach within it. */
  windowBox() {
    const [low, high] = this.window;
    let [least, most] = [Infinity, -Infinity];
    for (const line of this.shown()) {
      for (let k = 0; k < line.x.length; k++) {
        if (line.x[k] < low || line.x[k] > high || !Number.isFinite(line.y[k])) continue;
        least = Math.min(least, line.y[k]);
        most = Math.max(most, line.y[k]);
      }
    }
    if (!(most >= least)) return [low, this.extent[1], high, this.extent[3]];
    const pad = 0.06 * (most - least) || Math.abs(most) * 0.1 || 1;
    return [low, this.curve.kind === "orders" ? 0 : least - pad, high, most + pad];
  }

  drawAxes(x0, y0, width, height) {
    const [left, low, right, high] = this.box;
    const across = this.across(left, right, width);
    const up = ticks(low, high, height / 46);
    tickTexts(across).forEach((text, k) => {
      const x = this.toX(across[k]);
      this.svg.append(element("line", { x1: x, x2: x, y1: y0, y2: y0 + height, class: "flank-grid" }));
      this.svg.append(element("text", { x, y: y0 + height + 16, "text-anchor": "middle" }, text));
    });
    tickTexts(up).forEach((text, k) => {
      const y = this.toY(up[k]);
      this.svg.append(element("line", { x1: x0, x2: x0 + width, y1: y, y2: y, class: "flank-grid" }));
      this.svg.append(element("text", { x: x0 - 6, y: y + 4, "text-anchor": "end" }, text));
    });
    const { x, y } = this.curve;
    this.svg.append(element("text", { x: x0 + width / 2, y: HEIGHT - 6, "text-anchor": "middle" }, x.unit ? `${x.title} (${x.unit})` : x.title));
    this.svg.append(element("text", { x: 4, y: 13 }, y.unit ? `in ${y.unit}` : ""));
    let end = -Infinity;
    for (const { name, at } of [...(this.curve.marks || [])].sort((a, b) => a.at - b.at)) {
      if (at < left || at > right) continue;
      const place = this.toX(at);
      this.svg.append(element("line", { x1: place, x2: place, y1: y0, y2: y0 + height, class: "flank-named" }));
      const half = 3.3 * name.length;
      if (place - half < end || place - half < 60 || place + half > this.width) continue;
      this.svg.append(element("text", { x: place, y: y0 - 6, "text-anchor": "middle", class: "flank-name" }, name));
      end = place + half + 6;
    }
  }

  /** Ticks of the abscissa: as many as their texts leave room for, whole where values are. */
  across(left, right, width) {
    const places = this.curve.x.unit === "°" ? angleTicks : ticks;
    const whole = this.lines.every(({ x }) => x.every(Number.isInteger));
    for (let count = Math.max(width / 90, 5); ; count *= 0.8) {
      const found = places(left, right, count).filter((place) => !whole || Number.isInteger(place));
      const widest = Math.max(...tickTexts(found).map((text) => text.length)) * LETTER + APART;
      if (count < 2 || found.length < 3 || ((found[1] - found[0]) / (right - left)) * width >= widest) return found;
    }
  }

  pathOf(line) {
    if (this.curve.kind === "orders") return this.bars(line);
    const parts = [];
    let open = false;
    for (const k of this.visible(line)) {
      const [x, y] = [this.toX(line.x[k]), this.toY(line.y[k])];
      if (!Number.isFinite(y)) {
        open = false;
        continue;
      }
      parts.push(`${open ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`);
      open = true;
    }
    return parts.join("");
  }

  bars(line) {
    const base = this.toY(0).toFixed(1);
    const parts = [];
    for (let k = 0; k < line.x.length; k++) {
      if (line.x[k] <= 0 || line.x[k] < this.box[0] || line.x[k] > this.box[2]) continue;
      parts.push(`M${this.toX(line.x[k]).toFixed(1)} ${base}V${this.toY(line.y[k]).toFixed(1)}`);
    }
    return parts.join("");
  }

  /** Samples that are drawn: of many within a px the least and the largest. */
  visible(line) {
    const count = line.x.length;
    if (!line.rising) return Array.from({ length: count }, (_, k) => k);
    const first = Math.max(placeOf(line.x, this.box[0]) - 1, 0);
    const last = Math.min(placeOf(line.x, this.box[2]) + 2, count);
    const step = Math.ceil((last - first) / (MOST_POINTS * this.width));
    if (step < 2) return Array.from({ length: last - first }, (_, k) => first + k);
    const kept = [];
    for (let k = first; k < last; k += 2 * step) {
      let [least, most] = [k, k];
      for (let i = k; i < Math.min(k + 2 * step, last); i++) {
        if (line.y[i] < line.y[least]) least = i;
        if (line.y[i] > line.y[most]) most = i;
      }
      kept.push(Math.min(least, most), Math.max(least, most));
    }
    return kept;
  }

  /** The sample that is nearest to a point of the picture. */
  nearest(x, y) {
    let best = null;
    let nearest = Infinity;
    const bars = this.curve.kind === "orders";
    for (const line of this.shown()) {
      for (let k = 0; k < line.x.length; k++) {
        if (line.x[k] < this.box[0] || line.x[k] > this.box[2] || (bars && line.x[k] <= 0)) continue;
        const dx = this.toX(line.x[k]) - x;
        const dy = this.toY(line.y[k]) - y;
        const away = line.rising ? Math.abs(dx) + (this.lines.length > 1 ? 0.02 * Math.abs(dy) : 0) : Math.hypot(dx, dy);
        if (away < nearest) [nearest, best] = [away, { line, k }];
      }
    }
    return best;
  }

  setCursor(found) {
    this.cursor = found ? { name: found.line.name, k: found.k } : null;
    this.showCursor();
    if (found && this.curve.x.along) this.tell(found.k);
  }

  showCursor() {
    this.pointer.replaceChildren();
    const line = this.cursor && this.lines.find(({ name }) => name === this.cursor.name);
    if (!line || this.cursor.k >= line.x.length) {
      this.output.textContent = "";
      delete this.output.dataset.y;
      return;
    }
    const { k } = this.cursor;
    const [x, y] = [this.toX(line.x[k]), this.toY(line.y[k])];
    this.pointer.append(element("line", { x1: x, x2: x, y1: SIDES.top, y2: HEIGHT - SIDES.bottom }));
    if (Number.isFinite(y)) this.pointer.append(element("circle", { cx: x, cy: y, r: 4 }));
    const { curve } = this;
    const named = this.lines.length > 1;
    const texts = [`${curve.x.title} ${quantityText(line.x[k], curve.x.unit)}`];
    const others = this.shown().filter((other) => other.x === line.x && line.rising).slice(0, 6);
    for (const each of named && others.length ? others : [line]) {
      texts.push(`${named ? each.name : curve.title} ${quantityText(each.y[k], curve.y.unit, 5)}`);
    }
    this.output.textContent = texts.join("; ");
    Object.assign(this.output.dataset, { x: line.x[k], y: line.y[k], line: line.name, sample: k });
  }

  /** Where the motion is: a place among the samples, between two of them. */
  mark(place) {
    this.marked = place;
    this.marker.replaceChildren();
    const line = this.shown()[0];
    if (!line || !(place >= 0 && place <= line.x.length - 1)) return;
    const first = Math.floor(place);
    const second = Math.min(first + 1, line.x.length - 1);
    const mix = (values) => values[first] + (place - first) * (values[second] - values[first]);
    this.marker.append(element("circle", { cx: this.toX(mix(line.x)), cy: this.toY(mix(line.y)), r: 5 }));
  }

  zoomTo(low, high) {
    const [left, , right] = this.extent;
    const start = Math.max(low, left);
    const end = Math.min(high, right);
    this.window = start <= left && end >= right ? null : [start, end];
    if (end - start < 1e-9 * (right - left)) return;
    this.draw();
  }

  zoomBy(factor, at) {
    const [low, , high] = this.box;
    this.zoomTo(at - (at - low) / factor, at + (high - at) / factor);
  }

  valueAtX(x) {
    const [low, , high] = this.box;
    return low + ((x - SIDES.left) / this.inside[2]) * (high - low);
  }

  /** Pointer places in the units of the picture, which may be shown smaller. */
  place(event) {
    const box = this.svg.getBoundingClientRect();
    return [((event.clientX - box.left) / box.width) * this.width, ((event.clientY - box.top) / box.height) * HEIGHT];
  }

  listen() {
    const { svg } = this;
    svg.addEventListener("pointermove", (event) => {
      const [x, y] = this.place(event);
      if (this.start === undefined) {
        this.setCursor(this.nearest(x, y));
        return;
      }
      this.band.setAttribute("x", Math.min(x, this.start));
      this.band.setAttribute("width", Math.abs(x - this.start));
    });
    svg.addEventListener("pointerdown", (event) => {
      if (event.pointerType === "touch") {
        this.setCursor(this.nearest(...this.place(event)));
        return;
      }
      svg.setPointerCapture(event.pointerId);
      [this.start] = this.place(event);
    });
    svg.addEventListener("pointerup", (event) => {
      const [x] = this.place(event);
      const { start } = this;
      this.start = undefined;
      if (start === undefined) return;
      this.band.setAttribute("width", 0);
      if (Math.abs(x - start) > 8) this.zoomTo(...[start, x].map((place) => this.valueAtX(place)).sort((a, b) => a - b));
    });
    svg.addEventListener("dblclick", () => this.all());
    svg.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && document.activeElement !== svg) return;
      event.preventDefault();
      this.zoomBy(Math.exp(-event.deltaY * 0.0015), this.valueAtX(this.place(event)[0]));
    }, { passive: false });
    svg.addEventListener("keydown", (event) => this.key(event));
  }

  all() {
    this.window = null;
    this.draw();
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: 10, PageDown: -10 }[event.key];
    if (step) this.step(step * (event.shiftKey ? 10 : 1));
    else if (event.key === "ArrowUp" || event.key === "ArrowDown") this.change(event.key === "ArrowUp" ? -1 : 1);
    else if (event.key === "Home" || event.key === "End") this.step(event.key === "Home" ? -Infinity : Infinity);
    else if (event.key === "+" || event.key === "=" || event.key === "-") this.zoomBy(event.key === "-" ? 0.7 : 1.4, this.middle());
    else if (event.key === "0" || event.key === "Escape") this.all();
    else return;
    event.preventDefault();
  }

  middle() {
    const line = this.cursor && this.lines.find(({ name }) => name === this.cursor.name);
    return line ? line.x[this.cursor.k] : (this.box[0] + this.box[2]) / 2;
  }

  step(by) {
    const line = (this.cursor && this.lines.find(({ name }) => name === this.cursor.name)) || this.shown()[0];
    const now = this.cursor ? this.cursor.k : by > 0 ? -1 : line.x.length;
    this.setCursor({ line, k: Math.min(Math.max(now + by, 0), line.x.length - 1) });
  }

  change(by) {
    const shown = this.shown();
    const now = this.cursor ? shown.findIndex(({ name }) => name === this.cursor.name) : 0;
    const line = shown[(now + by + shown.length) % shown.length];
    this.setCursor({ line, k: Math.min(this.cursor ? this.cursor.k : 0, line.x.length - 1) });
  }
}

function isRising(x) {
  for (let k = 1; k < x.length; k++) if (!(x[k] > x[k - 1])) return false;
  return true;
}
