// The page: one spec, the keys that differ from it, and who is told when they change.

import { mount } from "./drawing.js";
import { Form } from "./form.js";
import { Link } from "./link.js";
import { Design } from "./designs.js";
import { endAll, Job, jobOf, Kept, Run } from "./jobs.js";
import { Curves, Findings, Variants } from "./panels.js";
import { byId, fillFigures, fillSentences, make, sentence } from "./parts.js";
import { Study } from "./studies.js";

const changesOf = { now: {}, past: [], coming: [], settled: {} };
const shown = { drawing: null, picture: 0, load: 0, findings: 0, opened: 0, moving: "", turned: false };
let asked = 0; // the number of the last change that was sent
let answered = true; // whether its picture has come
let due = false; // whether there is a newer one

const link = new Link(
  {
    form: opened,
    unopened: ({ problems }) => notice(problems.map(sentence).join(" "), true),
    picture,
    refused,
    load,
    preparing: (told) => current(told, () => {
      byId(`${told.of}-state`).textContent = told.words;
    }),
    findings: (told) => current(told, () => {
      light(told.light);
      findings.take(told);
      byId("findings-state").textContent = "";
      mark("findings", told.number);
    }),
    remedy: (told) => current(told, () => findings.remedy(told)),
    curve: (told) => current(told, () => {
      curves.take(told);
      moving(told.motion);
      variants.show(curves.known, changesOf.now);
    }),
    rest: (told) => current(told, () => {
      byId("load-state").textContent = byId("findings-state").textContent = "";
      mark("rest", told.number);
    }),
    progress: (told) => jobOf(told)?.tell(told),
    result: (told) => jobOf(told)?.take(told),
    designs: (told) => jobOf(told)?.take(told),
    study: (told) => jobOf(told)?.take(told),
    kept: (told) => jobOf(told)?.take(told),
    cancelled: (told) => {
      const job = jobOf(told);
      if (job?.cancelled) job.cancelled();
      else job?.end("Cancelled; nothing was kept.");
    },
    "run-refused": (told) => {
      const job = jobOf(told);
      if (job?.refused) job.refused(told.problems);
      else job?.end(told.problems.map(sentence).join(" "));
    },
    "design-forms": (told) => design.forms(told),
    "study-form": (told) => study.build(told),
    saved: ({ name, folder }) => notice(`Saved as ${name} in ${folder}.`),
    unsaved: ({ problems }) => notice(problems.map(sentence).join(" "), true),
    failed: ({ problem }) => {
      notice(`Something went wrong that should not: ${problem}`, true);
      done(); // other specs may be shown yet
    },
  },
  (reason) => {
    document.body.classList.add("lost");
    notice(`The studio is gone${reason ? ` (${reason})` : ""}; start it again and open its new address. What is in the form is still here.`, true);
  },
);

const form = new Form(byId("blocks"), edited);
const findings = new Findings(form, (changes) => settle({ ...changesOf.now, ...changes }));
const curves = new Curves(document.querySelector(".plots"), document.querySelector(".toggles"), () => send());
const variants = new Variants(byId("variants"), (variant) => settle(variant.changes), (all) => {
  curves.compare(all);
  variants.show(curves.known, changesOf.now);
});

Job.stop = () => link.ask("cancel");
const ofSpec = (what, more) => link.ask(what, { changes: changesOf.now, ...more });
const named = (id) => byId(id).value.trim();
const run = new Run((analysis) => ofSpec("run", { analysis }));
const study = new Study({
  form: () => ofSpec("study-form"),
  study: (name, spec) => ofSpec("study", { name, study: spec }),
});
const design = new Design({
  forms: () => link.ask("design-forms"),
  design: (kind, wanted) => link.ask("design", { kind, wanted }),
  open: (place) => open({ kind: "design", value: place }),
});
const dossier = new Kept("dossier", () => ofSpec("dossier", { name: named("dossier-name"), revision: named("dossier-revision"), author: named("dossier-author") }));
const parts = new Kept("parts", () => ofSpec("parts", { name: named("parts-name"), kind: byId("parts-kind").value }));

function mark(what, number) {
  document.body.dataset[what] = number;
}

function current({ number }, done) {
  if (number === asked) done();
}

function notice(text, bad = false) {
  const place = byId("notice");
  place.hidden = !text;
  place.textContent = text;
  place.classList.toggle("bad", bad);
}

// --- a spec is opened

function open(from) {
  notice("");
  shown.opened = link.ask("open", { from });
}

function opened(told) {
  if (told.number !== shown.opened) return;
  Object.assign(changesOf, { now: {}, past: [], coming: [], settled: {} });
  form.build(told.blocks);
  curves.build(told.live);
  variants.clear();
  findings.take({ headline: "", findings: [] });
  light("");
  byId("load-warnings").replaceChildren();
  endAll();
  run.build(told.analyses);
  study.stale(told.name);
  byId("dossier-name").value = `${told.name}-dossier`;
  byId("parts-name").value = told.name;
  shown.drawing?.unmount();
  shown.drawing = null;
  shown.turned = false;
  byId("mechanism").replaceChildren();
  byId("figures").replaceChildren();
  byId("spec-name").value = `${told.name}-changed`;
  sources(told);
  setTitle(told.title);
  buttons();
  answered = true;
  send();
}

function sources({ presets, files, name }) {
  const select = byId("source");
  const group = (label, kind, names) => make("optgroup", { label }, ...names.map((each) => make("option", { value: `${kind}:${each}` }, each)));
  select.replaceChildren(make("option", { value: "" }, name), make("option", { value: "given:" }, "as it was started"), group("Presets", "preset", presets));
  if (files.length) select.append(group("In the start folder", "file", files));
  select.value = "";
}

/** The verdict beside the title. */
function light(colour, text = colour) {
  byId("light").className = `light ${colour}`;
  byId("light").textContent = text;
}

function setTitle(text) {
  byId("title").textContent = text;
  document.title = `${text} – Flank studio`;
}

byId("source").addEventListener("change", ({ target }) => {
  const [kind, ...rest] = target.value.split(":");
  if (kind) open({ kind, value: rest.join(":") });
});

byId("upload").addEventListener("change", async ({ target }) => {
  const [file] = target.files;
  if (!file) return;
  if (file.size > 100_000) notice(`${file.name} has ${file.size} bytes; a spec has at most 100,000.`, true);
  else open({ kind: "text", value: await file.text() });
  target.value = "";
});

// --- it is changed

function edited(path, text, settled) {
  shown.moving = settled ? "" : path;
  const next = { ...changesOf.now };
  const { base } = form.fields.get(path);
  if (text === base) delete next[path];
  else next[path] = text;
  if (settled) settle(next);
  else {
    changesOf.now = next;
    form.fields.get(path).holder.classList.toggle("changed", path in next);
    send();
  }
}

/** A change that can be undone. */
function settle(next) {
  const clean = Object.fromEntries(Object.entries(next).filter(([path, text]) => form.fields.get(path)?.base !== text));
  if (JSON.stringify(clean) !== JSON.stringify(changesOf.settled)) {
    changesOf.past.push(changesOf.settled);
    changesOf.coming = [];
  }
  go(clean);
}

function go(changes) {
  const same = JSON.stringify(changes) === JSON.stringify(changesOf.now);
  changesOf.now = changesOf.settled = changes;
  form.show(changes);
  buttons();
  if (!same || document.body.dataset.refused) send();
}

function undo() {
  if (!changesOf.past.length) return;
  changesOf.coming.push(changesOf.settled);
  go(changesOf.past.pop());
}

function redo() {
  if (!changesOf.coming.length) return;
  changesOf.past.push(changesOf.settled);
  go(changesOf.coming.pop());
}

function buttons() {
  byId("undo").disabled = !changesOf.past.length;
  byId("redo").disabled = !changesOf.coming.length;
}

byId("undo").addEventListener("click", undo);
byId("redo").addEventListener("click", redo);
document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
  const key = event.key.toLowerCase();
  const again = key === "y" || (key === "z" && event.shiftKey);
  if (!again && key !== "z") return;
  event.preventDefault();
  if (again) redo();
  else undo();
});

// --- and answered

/** One change is on its way at a time; what comes meanwhile goes as one after its picture. */
function send() {
  if (!answered) {
    due = true;
    return;
  }
  due = answered = false;
  asked = link.ask("change", { changes: changesOf.now, live: [...curves.wanted] });
  mark("asked", asked);
  byId("load-state").textContent = byId("findings-state").textContent = "computing …";
  curves.stale();
}

function done() {
  answered = true;
  if (due) send();
}

function picture(told) {
  if (told.number < shown.opened) return;
  shown.picture = told.number;
  unrefuse();
  setTitle(told.title);
  form.read(told.fields, shown.moving);
  draw(told.document);
  requestAnimationFrame(() => requestAnimationFrame(() => mark("picture", told.number)));
  done();
}

function draw(given) {
  if (!given.mechanism) return;
  if (!shown.drawing) shown.drawing = mount(byId("mechanism"), { ...given, curves: [] });
  else if (shown.turned) shown.drawing.update({ mechanism: given.mechanism });
  else { // forces of one position stay until the next ones come
    const { forces, ...others } = given.mechanism;
    shown.drawing.update({ mechanism: others });
  }
  shown.turned = false;
}

/** Forces of one position onto the picture that is there. */
function pushed({ mechanism }) {
  if (mechanism && shown.drawing) shown.drawing.update({ mechanism: { forces: mechanism.forces } });
}

/** Poses and forces over a turn. */
function moving(motion) {
  if (!motion || !shown.drawing) return;
  shown.drawing.update({ mechanism: motion });
  shown.turned = true;
}

function load(told) {
  if (told.number < shown.picture || told.number < shown.opened) return;
  shown.load = told.number;
  pushed(told.document);
  fillFigures(byId("figures"), told.figures);
  fillSentences(byId("load-warnings"), [...(told.complete ? [] : [told.outcome]), ...told.warnings]);
  curves.take(told);
  curves.stale(["load-distribution"]);
  variants.show(curves.known, changesOf.now);
  if (told.number === asked) byId("load-state").textContent = "";
  requestAnimationFrame(() => requestAnimationFrame(() => mark("load", told.number)));
}

function refused(told) {
  if (told.number < shown.opened) return;
  form.clear();
  byId("refused").hidden = false;
  byId("refused").replaceChildren(
    make("h2", {}, "This cannot be built"),
    ...told.problems.map(({ key, text }) => make("p", {}, `${sentence(text)} `, ...(form.nearest(key) ? [make("button", { type: "button", class: "link", onclick: () => form.go(key) }, key)] : []))),
    make("p", { class: "meaning" }, "Picture and figures are those of the spec before."),
  );
  for (const { key, text } of told.problems) form.light(key, "error", sentence(text), true);
  byId("load-state").textContent = byId("findings-state").textContent = "of an earlier spec";
  light("red", "cannot be built");
  mark("refused", told.number);
  done();
}

function unrefuse() {
  if (!document.body.dataset.refused) return;
  delete document.body.dataset.refused;
  byId("refused").hidden = true;
  light("");
  form.clear();
}

// --- kept

byId("pin").addEventListener("click", () => {
  variants.pin(changesOf.settled, curves.known);
});
byId("save-spec").addEventListener("click", () => link.ask("save-spec", { name: named("spec-name"), changes: changesOf.now }));
byId("save-report").addEventListener("click", () => link.ask("save-report", { name: named("report-name") }));
byId("save-designs").addEventListener("click", () => link.ask("save-designs", { name: named("designs-name") }));
byId("search").addEventListener("input", ({ target }) => form.find(target.value));

open({ kind: "given" });
