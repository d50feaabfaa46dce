// The stage: a canvas with a panel for each layer or view, zoomed, moved and turned by hand.

import { colourOf, numberText, quantityText, roundBelow } from "./numbers.js";
import { FILLED, LINES } from "./mechanism.js";
import { drawSpace, extent, looking, project, turnedView } from "./space.js";

const LONGEST = 0.3; // of the largest force over the size of the machine
const NARROW = 250; // px below which panels stand one below the other; --flank-narrow says otherwise
const TALLEST = 620; // px; --flank-tallest makes it a share of the window, too
const LOWEST = 120; // px, however low the window is
const MARGIN = 14;
const TITLE = 20;
const EVERY = 5; // numbers of pins
const NEAR = 16; // px from an arrow's tip that is pointed at
const FLATTEST = 0.35;

const HELP = "Drag to move, pinch or press plus and minus to zoom, arrow keys to move, 0 for all, space to play, comma and full stop for single steps.";
const HELP_SPACE = "Drag or press arrow keys to turn, pinch or press plus and minus to zoom, 0 for all, space to play, comma and full stop for single steps.";

const SVG = ["svg", "path", "line", "text", "g", "rect", "circle"];

/** An element with attributes and children. */
export function element(tag, attributes = {}, ...children) {
  const made = SVG.includes(tag) ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

export class Stage {
  constructor(parent, mechanism, title) {
    this.title = title;
    this.canvas = element("canvas", { class: "flank-canvas", tabindex: "0", role: "application", "aria-roledescription": "drawing" });
    this.tip = element("div", { class: "flank-tip", role: "status", "aria-live": "polite" });
    this.legend = element("div", { class: "flank-legend" });
    this.holder = element("div", { class: "flank-stage" }, this.canvas, this.tip, this.zoomButtons());
    parent.append(this.holder, this.legend);
    this.frame = 0;
    this.mode = -1;
    this.swing = 0;
    this.drawn = 0;
    this.zoom = 1;
    this.shift = [0, 0];
    this.onKey = () => {};
    this.setMechanism(mechanism);
    this.listen();
    this.readLook();
    this.readRoom();
    this.resize();
  }

  zoomButtons() {
    const bar = element("div", { class: "flank-zoom", role: "group", "aria-label": "Zoom" });
    for (const [sign, name, act] of [
      ["+", "Zoom in", () => this.zoomBy(1.4, this.size[0] / 2, this.size[1] / 2)],
      ["\u2212", "Zoom out", () => this.zoomBy(1 / 1.4, this.size[0] / 2, this.size[1] / 2)],
      ["\u2922", "Show all", () => this.reset()],
    ]) {
      const button = element("button", { type: "button", "aria-label": name, title: name }, sign);
      button.addEventListener("click", act);
      bar.append(button);
    }
    return bar;
  }

  setMechanism(mechanism) {
    this.mechanism = mechanism;
    const help = mechanism.spatial ? HELP_SPACE : HELP;
    this.canvas.setAttribute("aria-label", `${this.title}. The mechanism to scale. ${help}`);
    const turns = (this.panels || []).map((panel) => panel.turn);
    this.panels = panelsOf(mechanism.data);
    if (turns.length === this.panels.length) this.panels.forEach((panel, k) => { panel.turn = turns[k]; });
    this.measure();
  }

  /** How far panels reach, in m: what is drawn in some frames, and arrows in all. */
  measure() {
    const { mechanism } = this;
    mechanism.setPose(0);
    this.space = mechanism.spatial ? extent(mechanism) : null;
    this.longest = LONGEST * (this.space ? this.space.reach : mechanism.radius);
    const steps = mechanism.frames > 1 ? 6 : 1;
    for (const panel of this.panels) panel.box = [Infinity, Infinity, -Infinity, -Infinity];
    for (let k = 0; k < steps; k++) {
      mechanism.setPose(Math.floor((k / steps) * mechanism.frames));
      for (const panel of this.panels) this.measurePanel(panel);
    }
    const forces = mechanism.forces;
    if (forces && !mechanism.spatial) {
      const per = this.longest / forces.largestForce;
      for (let k = 0; k < forces.contact.length; k++) {
        const x = forces.point[2 * k] - per * forces.force[2 * k];
        const y = forces.point[2 * k + 1] - per * forces.force[2 * k + 1];
        for (const panel of this.panels) grow(panel.box, x, y);
      }
    }
    if (!mechanism.spatial) {
      const boxes = this.panels.map((panel) => panel.box);
      const all = [0, 1, 2, 3].map((k) => Math[k < 2 ? "min" : "max"](...boxes.map((box) => box[k])));
      this.panels.forEach((panel) => { panel.box = all; });
    }
    for (const panel of this.panels) {
      if (!Number.isFinite(panel.box[0])) panel.box = [-mechanism.radius, -mechanism.radius, mechanism.radius, mechanism.radius];
    }
  }

  measurePanel(panel) {
    const { mechanism } = this;
    if (panel.layer === "" && mechanism.spatial) {
      const r = this.space.reach;
      panel.box = [-r, -r, r, r];
      return;
    }
    for (const outline of mechanism.inLayer(panel.layer)) {
      if (!FILLED.includes(outline.kind) && !LINES.includes(outline.kind)) continue;
      const step = Math.max(Math.floor(outline.points.length / mechanism.axes / 48), 1) * mechanism.axes;
      if (mechanism.spatial) this.measureInSpace(panel, outline, step);
      else this.measureInPlane(panel, outline, step);
    }
  }

  measureInPlane({ box }, { points, row }, step) {
    const { pose } = this.mechanism;
    const [x, y, angle] = [pose[3 * row], pose[3 * row + 1], pose[3 * row + 2]];
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    for (let k = 0; k < points.length; k += step) grow(box, x + c * points[k] - s * points[k + 1], y + s * points[k] + c * points[k + 1]);
  }

  measureInSpace({ box, turn }, { points, row, revolved }, step) {
    const centre = project(turn, this.mechanism.pose.subarray(7 * row, 7 * row + 3));
    let reach = 0;
    for (let k = 0; k < points.length; k += step) {
      reach = Math.max(reach, revolved ? Math.hypot(points[k], points[k + 2]) : Math.hypot(points[k], points[k + 1], points[k + 2]));
    }
    grow(box, centre[0] - reach, centre[1] - reach);
    grow(box, centre[0] + reach, centre[1] + reach);
  }

  readLook() {
    const style = getComputedStyle(this.holder);
    const of = (name) => style.getPropertyValue(`--flank-${name}`).trim();
    this.dark = of("dark") === "1";
    const fills = Object.fromEntries(FILLED.map((kind) => [kind, of(`fill-${kind}`)]));
    const blue = of("blue");
    const orange = of("orange");
    const strokes = { "outer track": blue, "outer shaft": blue, "inner track": orange, "inner shaft": orange, body: of("edge"), ring: of("edge") };
    const quiet = of("quiet");
    this.look = {
      ink: of("ink"), quiet, paper: of("paper"),
      fill: (kind) => fills[kind],
      stroke: (kind) => strokes[kind] || quiet,
    };
    const faint = of("ghost");
    const colour = of("mode");
    this.ghost = { ink: faint, quiet: faint, paper: "transparent", fill: () => "transparent", stroke: () => faint };
    this.swung = { ...this.look, fill: (kind) => `${fills[kind]}99`, stroke: () => colour };
    this.request();
  }

  /** What the page says of sizes, which is asked where its own size changes. */
  readRoom() {
    const style = getComputedStyle(this.holder);
    const given = (name, other) => Number.parseFloat(style.getPropertyValue(`--flank-${name}`)) || other;
    this.room = { narrow: given("narrow", NARROW), share: given("tallest", 0) };
  }

  resize() {
    const width = Math.max(this.holder.clientWidth, 120);
    const count = this.panels.length;
    const { narrow, share } = this.room;
    const tallest = share ? Math.max(Math.min(TALLEST, share * globalThis.innerHeight), LOWEST) : TALLEST;
    const across = count > 1 && width / count < narrow ? 1 : count;
    const each = width / across;
    const flat = Math.max(...this.panels.map(({ box }) => (box[3] - box[1]) / Math.max(box[2] - box[0], 1e-12)));
    const height = Math.min(Math.max(each * Math.min(flat, 1.2), each * FLATTEST), tallest) + TITLE;
    this.panels.forEach((panel, k) => {
      panel.at = [(k % across) * each, Math.floor(k / across) * height, each, height];
    });
    const total = height * Math.ceil(count / across);
    const ratio = Math.min(globalThis.devicePixelRatio || 1, 3);
    this.size = [width, total, ratio];
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(total * ratio);
    this.canvas.style.height = `${total}px`;
    this.request();
  }

  /** What a panel shows; where the view can be turned, all that turns about its middle. */
  boxOf(panel) {
    if (!this.space || panel.layer !== "") return panel.box;
    const [x, y] = project(panel.turn, this.space.middle);
    const { reach } = this.space;
    return [x - reach, y - reach, x + reach, y + reach];
  }

  viewOf(panel) {
    const [x, y, width, height] = panel.at;
    const [left, low, right, high] = this.boxOf(panel);
    const fit = Math.min((width - 2 * MARGIN) / (right - left), (height - TITLE - 2 * MARGIN) / (high - low));
    const scale = fit * this.zoom;
    return {
      scale,
      x: x + width / 2 - (scale * (left + right)) / 2 + this.shift[0] * this.zoom,
      y: y + TITLE + (height - TITLE) / 2 + (scale * (low + high)) / 2 + this.shift[1] * this.zoom,
    };
  }

  request() {
    if (this.waiting) return;
    this.waiting = requestAnimationFrame(() => {
      this.waiting = 0;
      this.draw();
    });
  }

  draw() {
    const [width, height, ratio] = this.size;
    const context = this.canvas.getContext("2d");
    const { mechanism, look } = this;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.font = "12px system-ui, sans-serif";
    context.lineJoin = "round";
    this.entries = mechanism.forces && this.mode < 0 ? mechanism.forces.at(this.frame) : [];
    for (const panel of this.panels) {
      const view = this.viewOf(panel);
      context.save();
      context.beginPath();
      context.rect(panel.at[0], panel.at[1] + TITLE, panel.at[2], panel.at[3] - TITLE);
      context.clip();
      if (this.mode >= 0) {
        mechanism.setPose(this.frame);
        this.drawParts(context, view, panel, this.ghost);
      }
      mechanism.setPose(this.frame, this.mode, this.swing);
      this.drawParts(context, view, panel, this.mode >= 0 ? this.swung : look);
      if (!mechanism.spatial && this.mode < 0) this.drawNumbers(context, view, panel);
      this.drawArrows(context, view, panel);
      context.restore();
      if (panel.title) {
        context.fillStyle = look.quiet;
        context.textAlign = "center";
        context.textBaseline = "top";
        const fits = context.measureText(panel.title).width < panel.at[2];
        context.fillText(fits ? panel.title : panel.title.replace(/ \(.*/, ""), panel.at[0] + panel.at[2] / 2, panel.at[1] + 4);
      }
    }
    this.drawLegend();
    this.canvas.dataset.frame = this.frame.toFixed(3);
    this.drawn += 1;
  }

  drawParts(context, view, panel, look) {
    if (this.mechanism.spatial) drawSpace(context, this.mechanism, view, panel, look);
    else this.mechanism.drawPlane(context, view, panel.layer, look);
  }

  drawNumbers(context, view, panel) {
    context.fillStyle = this.look.ink;
    context.textAlign = "center";
    context.textBaseline = "middle";
    for (const outline of this.mechanism.inLayer(panel.layer)) {
      const found = /^pin (\d+)$/.exec(outline.name);
      if (outline.kind !== "pin" || !found || (Number(found[1]) % EVERY && found[1] !== "1")) continue;
      const [x, y] = this.mechanism.middle(outline);
      const size = Math.hypot(x, y) || 1;
      const out = size + outlineRadius(outline) + 9 / view.scale;
      context.fillText(found[1], view.x + (view.scale * x * out) / size, view.y - (view.scale * y * out) / size);
    }
  }

  drawArrows(context, view, panel) {
    const forces = this.mechanism.forces;
    if (!forces) return;
    const per = (this.longest / forces.largestForce) * view.scale;
    for (const entry of this.entries) {
      if (panel.layer !== "" && entry.layer !== "" && entry.layer !== panel.layer) continue;
      let { point, force } = entry;
      if (this.mechanism.spatial) {
        point = project(panel.turn, point);
        force = project(panel.turn, force);
      }
      const tip = [view.x + view.scale * point[0], view.y - view.scale * point[1]];
      const way = [per * force[0], -per * force[1]];
      entry.tips = entry.tips || [];
      entry.tips.push(tip);
      const known = Number.isFinite(entry.pressure) && forces.largestPressure;
      const colour = known ? colourOf(entry.pressure / forces.largestPressure, this.dark) : this.look.ink;
      arrow(context, tip, way, colour);
    }
  }

  /** The length of a round force, and the colours of pressures; again where the scale changes. */
  drawLegend() {
    const forces = this.mechanism.forces;
    const shown = forces && this.mode < 0;
    const scale = shown ? this.viewOf(this.panels[0]).scale : 0;
    const key = shown ? `${scale} ${forces.largestForce} ${forces.largestPressure} ${this.dark}` : "";
    if (this.legendKey === key) return;
    this.legendKey = key;
    this.legend.replaceChildren();
    if (!shown) return;
    const force = roundBelow(forces.largestForce * Math.min(1, 150 / (this.longest * scale)));
    const length = Math.max((force / forces.largestForce) * this.longest * scale, 4);
    const line = element("svg", { width: length + 4, height: 12, "aria-hidden": "true" },
      element("path", { d: `M2 6H${length - 4}`, class: "flank-line" }),
      element("path", { d: `M${length + 2} 6l-9-4v8z`, class: "flank-head" }));
    const large = force >= 1e4;
    this.legend.append(element("span", { class: "flank-key" }, line, `${numberText(large ? force / 1e3 : force, 1).replace(/\.0$/, "")} ${large ? "kN" : "N"}`));
    if (!forces.largestPressure) return;
    const bar = element("span", { class: "flank-bar", "aria-hidden": "true" });
    const stops = [0, 0.25, 0.5, 0.75, 1].map((share) => colourOf(share, this.dark));
    bar.style.background = `linear-gradient(to right, ${stops.join(",")})`;
    this.legend.append(element("span", { class: "flank-key" }, "0", bar, `${numberText(forces.largestPressure, 3)} MPa`));
  }

  listen() {
    const { canvas } = this;
    this.pointers = new Map();
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
      this.hold = this.panelAt(event.offsetX, event.offsetY);
    });
    for (const name of ["pointerup", "pointercancel"]) {
      canvas.addEventListener(name, (event) => this.pointers.delete(event.pointerId));
    }
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerleave", () => this.tell(null));
    canvas.addEventListener("dblclick", () => this.reset());
    canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && document.activeElement !== canvas) return; // the page scrolls
      event.preventDefault();
      this.zoomBy(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), event.offsetX, event.offsetY);
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => this.key(event));
  }

  panelAt(x, y) {
    return this.panels.find(({ at }) => x >= at[0] && x < at[0] + at[2] && y >= at[1] && y < at[1] + at[3]) || this.panels[0];
  }

  move(event) {
    const known = this.pointers.get(event.pointerId);
    const here = [event.offsetX, event.offsetY];
    if (!known) {
      this.tell(here);
      return;
    }
    if (this.pointers.size === 2) {
      const other = [...this.pointers.entries()].find(([id]) => id !== event.pointerId)[1];
      const before = Math.hypot(known[0] - other[0], known[1] - other[1]) || 1;
      const after = Math.hypot(here[0] - other[0], here[1] - other[1]);
      this.zoomBy(after / before, (here[0] + other[0]) / 2, (here[1] + other[1]) / 2);
    } else if (this.mechanism.spatial && !event.shiftKey) {
      this.turn(this.hold, (here[0] - known[0]) * 0.01, (here[1] - known[1]) * 0.01);
    } else {
      this.pan(here[0] - known[0], here[1] - known[1]);
    }
    this.pointers.set(event.pointerId, here);
  }

  turn(panel, right, up) {
    panel.turn = turnedView(panel.turn, right, -up);
    panel.layer = "";
    this.canvas.dataset.turn = panel.turn.map((row) => row.map((value) => value.toFixed(3))).join(";");
    this.request();
  }

  pan(dx, dy) {
    this.shift = [this.shift[0] + dx / this.zoom, this.shift[1] + dy / this.zoom];
    this.request();
  }

  zoomBy(factor, x, y) {
    const zoom = Math.min(Math.max(this.zoom * factor, 0.5), 400);
    const panel = this.panelAt(x, y);
    const middle = [panel.at[0] + panel.at[2] / 2, panel.at[1] + TITLE + (panel.at[3] - TITLE) / 2];
    // the point below the pointer stays there
    const before = [(x - middle[0]) / this.zoom, (y - middle[1]) / this.zoom];
    const after = [(x - middle[0]) / zoom, (y - middle[1]) / zoom];
    this.shift = [0, 1].map((k) => this.shift[k] + after[k] - before[k]);
    this.zoom = zoom;
    this.canvas.dataset.zoom = zoom.toFixed(3);
    this.canvas.classList.toggle("flank-zoomed", zoom > 1.01);
    this.request();
  }

  reset() {
    this.zoom = 1;
    this.shift = [0, 0];
    this.canvas.dataset.zoom = "1.000";
    this.canvas.classList.remove("flank-zoomed");
    const panels = panelsOf(this.mechanism.data);
    this.panels.forEach((panel, k) => Object.assign(panel, { turn: panels[k].turn, layer: panels[k].layer }));
    this.request();
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const [width, height] = this.size;
    const ways = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const way = ways[event.key];
    if (way && this.mechanism.spatial && !event.shiftKey) {
      this.turn(this.panels[this.panels.length - 1], -way[0] * 0.12, -way[1] * 0.12);
    } else if (way) this.pan(way[0] * 0.08 * width, way[1] * 0.08 * width);
    else if (event.key === "+" || event.key === "=") this.zoomBy(1.25, width / 2, height / 2);
    else if (event.key === "-") this.zoomBy(0.8, width / 2, height / 2);
    else if (event.key === "0" || event.key === "Escape") this.reset();
    else if (!this.onKey(event.key)) return;
    event.preventDefault();
  }

  /** The contact below the pointer in words. */
  tell(here) {
    let best = null;
    let nearest = NEAR;
    for (const entry of here ? this.entries || [] : []) {
      for (const tip of entry.tips || []) {
        const away = Math.hypot(tip[0] - here[0], tip[1] - here[1]);
        if (away < nearest) [nearest, best] = [away, { entry, tip }];
      }
    }
    this.tip.hidden = !best;
    if (!best) return;
    const { entry, tip } = best;
    const pressed = Number.isFinite(entry.pressure) ? `, ${quantityText(entry.pressure, "MPa", 4)}` : "";
    this.tip.textContent = `${singular(entry.group)} ${entry.number}: ${quantityText(entry.size, "N", 4)}${pressed}`;
    this.tip.style.left = `${Math.min(tip[0] + 12, this.size[0] - 190)}px`;
    this.tip.style.top = `${Math.max(tip[1] - 34, 0)}px`;
  }
}

function grow(box, x, y) {
  if (x < box[0]) box[0] = x;
  if (y < box[1]) box[1] = y;
  if (x > box[2]) box[2] = x;
  if (y > box[3]) box[3] = y;
}

function outlineRadius(outline) {
  let [low, high] = [Infinity, -Infinity];
  for (let k = 0; k < outline.points.length; k += 2) {
    low = Math.min(low, outline.points[k]);
    high = Math.max(high, outline.points[k]);
  }
  return (high - low) / 2;
}

function singular(words) {
  return words === "teeth" ? "tooth" : words.replace(/s$/, "");
}

function panelsOf(data) {
  if (data.spatial) {
    const flat = data.views.map(({ layer, axes }) => ({ layer, title: `${capital(layer)} (drag to turn)`, turn: looking(axes) }));
    const turned = turnedView(turnedView(looking(data.views[0].axes), -0.6, 0), 0, -0.45);
    return [...flat, { layer: "", title: "In space (drag to turn)", turn: turned }];
  }
  const named = data.layers.length > 1;
  return data.layers.map((layer) => ({ layer, title: named ? capital(layer) : "", turn: null }));
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** An arrow whose tip is a point and which runs along a way, in px. */
function arrow(context, tip, way, colour) {
  const length = Math.hypot(...way);
  if (length < 1) return;
  const [x, y] = way.map((value) => value / length);
  const head = Math.min(9, 0.6 * length);
  context.strokeStyle = context.fillStyle = colour;
  context.lineWidth = 2;
  context.setLineDash([]);
  context.beginPath();
  context.moveTo(tip[0] - way[0], tip[1] - way[1]);
  context.lineTo(tip[0] - x * head * 0.8, tip[1] - y * head * 0.8);
  context.stroke();
  context.beginPath();
  context.moveTo(tip[0], tip[1]);
  context.lineTo(tip[0] - x * head - 0.42 * y * head, tip[1] - y * head + 0.42 * x * head);
  context.lineTo(tip[0] - x * head + 0.42 * y * head, tip[1] - y * head - 0.42 * x * head);
  context.fill();
}
