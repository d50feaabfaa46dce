// What pages call: a document into an element, and new documents after it.

import { Mechanism } from "./mechanism.js";
import { Player } from "./player.js";
import { Plot } from "./plot.js";
import { Stage, element } from "./stage.js";
import { addCopyButton } from "./tables.js";

/**
 * Draw a document inside an element.
 *
 * Elements below it with data-flank="mechanism" or data-flank="curve" (and data-name) are the
 * places of the parts; where there are none, parts are put in one after the other. Tables with
 * data-flank="table" get a button to copy them. Options: `compare`, other documents as
 * {title, document} whose curves are drawn beside; `name`, what the first one is called then;
 * `autoplay`, which a wish for less motion overrules; `moved(frame, playing)`, called whenever
 * either changes.
 *
 * Returns an object: update(document), frame(number), play(), pause(), unmount(), state.
 */
export function mount(root, document, options = {}) {
  return new Mounted(root, document, options);
}

class Mounted {
  constructor(root, document, options) {
    this.root = root;
    this.options = options;
    this.plots = [];
    root.classList.add("flank-root");
    this.document = document;
    this.compared = options.compare || [];
    this.build();
    this.observe();
    for (const table of root.querySelectorAll("table[data-flank='table']")) addCopyButton(table);
    root.dataset.flankReady = "true";
    const still = globalThis.matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (options.autoplay && !still) this.play();
  }

  place(part, name = "") {
    const places = [...this.root.querySelectorAll(`[data-flank='${part}']`)];
    const found = places.find((each) => (each.dataset.name || "") === name);
    if (found) {
      found.closest("[data-flank-part]")?.setAttribute("data-flank-drawn", "true");
      return found;
    }
    const made = element("div", { "data-flank": part, "data-name": name });
    this.root.append(made);
    return made;
  }

  build() {
    const { mechanism, curves = [], title = "" } = this.document;
    if (mechanism) {
      const place = this.place("mechanism");
      this.stage = new Stage(place, new Mechanism(mechanism), title);
      this.player = new Player(place, this.stage, (frame) => this.moved(frame));
      if (mechanism.caption) place.append(element("p", { class: "flank-caption" }, mechanism.caption));
    }
    for (const curve of curves) {
      const place = this.place("curve", curve.name);
      const plot = new Plot(place, this.withOthers(curve), (sample) => this.read(curve, sample));
      this.plots.push(plot);
    }
    if (this.player) this.moved(this.stage.frame);
  }

  /** A curve with the lines of the documents it is compared with. */
  withOthers(curve) {
    const others = this.compared.flatMap(({ title, document }) => {
      const same = (document.curves || []).find(({ name }) => name === curve.name);
      return same ? same.lines.map((line) => named(line, title, same)) : [];
    });
    if (!others.length) return curve;
    const mine = curve.lines.map((line) => named(line, this.options.name || this.document.title, curve));
    return { ...curve, lines: [...mine, ...others] };
  }

  observe() {
    const again = () => {
      this.stage?.readRoom();
      this.stage?.resize();
      for (const plot of this.plots) plot.draw();
    };
    let width = this.root.clientWidth;
    this.sizes = new ResizeObserver(() => {
      if (this.root.clientWidth === width) return;
      width = this.root.clientWidth;
      again();
    });
    this.sizes.observe(this.root);
    this.dark = globalThis.matchMedia("(prefers-color-scheme: dark)");
    this.darkChanged = () => this.stage?.readLook();
    this.dark.addEventListener("change", this.darkChanged);
  }

  /** A new document; what it does not have stays: shapes above all, which are sent once. */
  update(document, options = {}) {
    if (options.compare) this.compared = options.compare;
    const before = this.document.mechanism;
    const given = document.mechanism;
    this.document = { ...this.document, ...document };
    if (given && this.stage) {
      this.document.mechanism = { ...before, ...given };
      const { mechanism } = this.stage;
      const { frames, frameInfo } = mechanism;
      const modes = mechanism.modes.length;
      if (given.polygons) this.stage.setMechanism(new Mechanism(this.document.mechanism));
      else {
        mechanism.take(this.document.mechanism);
        this.stage.measure();
      }
      this.stage.legendKey = null;
      const now = this.stage.mechanism;
      if (now.frames !== frames) this.stage.frame *= (now.frames - 1) / Math.max(frames - 1, 1);
      const other = now.frameInfo.title !== frameInfo.title || now.frameInfo.unit !== frameInfo.unit;
      if (now.frames !== frames || now.modes.length || modes || other) this.player.build();
      else this.player.set(this.stage.frame);
      this.stage.resize();
    } else if (given) {
      this.rebuild();
      return;
    }
    if (document.curves || options.compare) this.updateCurves();
  }

  updateCurves() {
    const { curves } = this.document;
    if (curves.length !== this.plots.length) {
      this.rebuild();
      return;
    }
    this.plots.forEach((plot, k) => plot.take(this.withOthers(curves[k])));
  }

  rebuild() {
    this.pause();
    for (const part of this.root.querySelectorAll("[data-flank='mechanism'], [data-flank='curve']")) part.replaceChildren();
    this.plots = [];
    this.stage = this.player = undefined;
    this.build();
  }

  /** The motion goes on: curves along the same quantity show where it is. */
  moved(frame) {
    const { frames } = this.document.mechanism;
    const places = this.stage.mechanism.framePlaces;
    this.root.dataset.flankFrame = frame.toFixed(3);
    this.options.moved?.(frame, Boolean(this.player?.playing));
    if (!places) return;
    const first = Math.floor(frame);
    const second = Math.min(first + 1, places.length - 1);
    const place = places[first] + (frame - first) * (places[second] - places[first]);
    this.plots.forEach((plot) => {
      if (plot.curve.x.along && plot.curve.x.along === frames.along) plot.mark(place);
    });
  }

  /** A curve is read off: the motion goes there. */
  read(curve, sample) {
    const frames = this.document.mechanism?.frames;
    if (!this.player || curve.x.along !== frames.along || this.player.playing) return;
    const places = this.stage.mechanism.framePlaces;
    let nearest = Math.max(places.findIndex(Number.isFinite), 0);
    for (let k = 1; k < places.length; k++) if (Math.abs(places[k] - sample) < Math.abs(places[nearest] - sample)) nearest = k;
    this.player.set(nearest);
  }

  frame(number) {
    this.player?.set(Math.min(Math.max(number, 0), this.stage.mechanism.frames - 1));
  }

  play() {
    this.player?.play();
  }

  pause() {
    this.player?.pause();
  }

  /** For those who look from outside: frame, frames, pictures drawn so far. */
  get state() {
    return { frame: this.stage?.frame, frames: this.stage?.mechanism.frames, drawn: this.stage?.drawn, playing: this.player?.playing };
  }

  unmount() {
    this.pause();
    this.sizes.disconnect();
    this.dark.removeEventListener("change", this.darkChanged);
    for (const part of this.root.querySelectorAll("[data-flank='mechanism'], [data-flank='curve']")) part.replaceChildren();
    delete this.root.dataset.flankReady;
  }
}

function named(line, title, curve) {
  const single = curve.lines.length === 1;
  return { ...line, name: single ? title : `${title}: ${line.name}`, abscissa: line.abscissa || curve.abscissa };
}
