// The player: play, scrub and step through the frames of a stage, or swing a mode.

import { quantityText } from "./numbers.js";
import { element } from "./stage.js";

const SHORTEST_LOOP = 6; // s for all frames
const LONGEST_LOOP = 60;
const QUICKEST = 3; // rad of the fastest part in a second
const SWING = 1.2; // s of a mode's period
const SPEEDS = [["¼×", 0.25], ["½×", 0.5], ["1×", 1], ["2×", 2], ["4×", 4]];

export class Player {
  constructor(parent, stage, tell) {
    this.stage = stage;
    this.tell = tell; // called with the frame whenever it changes, and when it begins or stops to
    this.playing = false;
    this.speed = 1;
    this.bar = element("div", { class: "flank-player", role: "group", "aria-label": "Motion" });
    parent.append(this.bar);
    stage.onKey = (key) => this.key(key);
    this.build();
  }

  build() {
    const { mechanism } = this.stage;
    this.bar.replaceChildren();
    const several = mechanism.frames > 1;
    this.swings = !several && mechanism.modes.length > 0;
    this.bar.hidden = !several && mechanism.modes.length === 0;
    if (this.bar.hidden) {
      this.pause();
      return;
    }
    this.button = element("button", { type: "button", class: "flank-play" });
    this.button.addEventListener("click", () => this.toggle());
    this.bar.append(this.button);
    if (several) this.buildScrubber(mechanism);
    if (mechanism.modes.length) this.buildModes(mechanism, several);
    this.buildSpeeds();
    this.period = duration(mechanism);
    this.showState();
    this.set(Math.min(this.stage.frame, mechanism.frames - 1));
  }

  buildScrubber(mechanism) {
    const { title } = mechanism.frameInfo;
    this.range = element("input", { type: "range", class: "flank-range", min: 0, max: mechanism.frames - 1, step: 1, "aria-label": title });
    this.range.addEventListener("input", () => {
      this.pause();
      this.set(Number(this.range.value));
    });
    this.output = element("output", { class: "flank-value" });
    this.bar.append(this.range, this.output);
  }

  buildModes(mechanism, several) {
    const choice = element("select", { class: "flank-select", "aria-label": "Mode" });
    if (several) choice.append(element("option", { value: -1 }, "motion"));
    mechanism.modes.forEach(({ title }, k) => choice.append(element("option", { value: k }, title)));
    if (!several) this.stage.mode = Math.max(this.stage.mode, 0);
    this.stage.mode = Math.min(this.stage.mode, mechanism.modes.length - 1);
    choice.value = String(this.stage.mode);
    this.stage.swing = this.stage.mode >= 0 ? 1 : 0;
    choice.addEventListener("change", () => {
      this.stage.mode = Number(choice.value);
      this.swings = this.stage.mode >= 0;
      this.stage.swing = this.swings ? 1 : 0;
      this.stage.request();
    });
    this.bar.append(choice);
  }

  buildSpeeds() {
    const choice = element("select", { class: "flank-select", "aria-label": "Speed" });
    for (const [name, value] of SPEEDS) choice.append(element("option", { value }, name));
    choice.value = String(this.speed);
    choice.addEventListener("change", () => { this.speed = Number(choice.value); });
    this.bar.append(choice);
  }

  set(frame) {
    const { mechanism } = this.stage;
    this.stage.frame = frame;
    if (this.range) {
      const text = quantityText(valueAt(mechanism.frameValues, frame), mechanism.frameInfo.unit, 4);
      this.range.value = String(Math.round(frame));
      this.range.setAttribute("aria-valuetext", text);
      this.output.textContent = `${mechanism.frameInfo.title} ${text}`;
    }
    this.stage.request();
    this.tell(frame);
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  play() {
    if (this.playing || this.bar.hidden) return;
    this.playing = true;
    this.before = null;
    this.showState();
    this.tell(this.stage.frame);
    const step = (now) => {
      if (!this.playing) return;
      if (this.before !== null) this.advance((now - this.before) * 1e-3 * this.speed);
      this.before = now;
      this.timer = requestAnimationFrame(step);
    };
    this.timer = requestAnimationFrame(step);
  }

  pause() {
    cancelAnimationFrame(this.timer);
    if (!this.playing) return;
    this.playing = false;
    this.showState();
    this.tell(this.stage.frame);
  }

  advance(seconds) {
    const { mechanism } = this.stage;
    if (this.swings) {
      this.phase = ((this.phase || 0) + seconds / SWING) % 1;
      this.stage.swing = Math.cos(2 * Math.PI * this.phase);
      this.stage.request();
      return;
    }
    const last = mechanism.frames - 1;
    const frame = this.stage.frame + (seconds / this.period) * last;
    this.set(frame > last ? frame % last : frame);
  }

  showState() {
    this.button.textContent = this.playing ? "❚❚" : "▶";
    this.button.setAttribute("aria-label", this.playing ? "Pause" : "Play");
    this.button.dataset.playing = String(this.playing);
  }

  key(key) {
    if (this.bar.hidden) return false;
    const last = this.stage.mechanism.frames - 1;
    if (key === " ") this.toggle();
    else if (key === "," || key === ".") {
      this.pause();
      const next = Math.round(this.stage.frame) + (key === "." ? 1 : -1);
      this.set((next + last + 1) % (last + 1));
    } else return false;
    return true;
  }
}

export function valueAt(values, frame) {
  const first = Math.min(Math.floor(frame), values.length - 1);
  const second = Math.min(first + 1, values.length - 1);
  return values[first] + (frame - first) * (values[second] - values[first]);
}

/** Seconds for all frames: longer where a part turns fast. */
function duration(mechanism) {
  if (mechanism.spatial) return SHORTEST_LOOP;
  const size = mechanism.rows * mechanism.width;
  let most = 0;
  for (let row = 0; row < mechanism.rows; row++) {
    const at = row * mechanism.width + 2;
    most = Math.max(most, Math.abs(mechanism.poses[(mechanism.frames - 1) * size + at] - mechanism.poses[at]));
  }
  return Math.min(Math.max(most / QUICKEST, SHORTEST_LOOP), LONGEST_LOOP);
}
