// What takes long: a button that starts it, how far it is, a button that stops it. One at a time.

import { mount } from "./drawing.js";
import { byId, fillFigures, fillSentences, make, sentence } from "./parts.js";

export class Job {
  /** Elements whose ids begin with `word`: -start, -progress, -cancel and -state. */
  constructor(word, question) {
    this.question = question; // asks when it starts; gives the number of what was asked, or nothing
    this.number = 0;
    for (const part of ["start", "progress", "cancel", "state"]) this[part] = byId(`${word}-${part}`);
    this.start.addEventListener("click", () => this.begin(this.question()));
    this.cancel.addEventListener("click", () => {
      Job.stop();
      this.state.textContent = "Stopping …";
    });
    Job.all.push(this);
  }

  begin(number) {
    if (!number) return;
    this.number = number;
    this.progress.value = 0;
    this.progress.hidden = this.cancel.hidden = false;
    this.say("Computing …");
    Job.busy(true);
  }

  end(text = "") {
    this.number = 0;
    this.progress.hidden = this.cancel.hidden = true;
    this.say(text);
    Job.busy(false);
  }

  say(text) {
    if (this.state.textContent !== text) this.state.textContent = text;
  }

  /** Words of how far it is; nothing is said of a job that is being stopped. */
  tell({ share, words }) {
    this.progress.value = share;
    if (words && !this.state.textContent.startsWith("Stopping")) this.say(sentence(words));
  }
}

Job.all = [];
Job.stop = () => {};
Job.busy = (is) => {
  for (const { start } of Job.all) start.disabled = is;
  for (const button of document.querySelectorAll("[data-starts]")) button.disabled = is;
};

/** The job that a message is about, if it still matters. */
export function jobOf({ number }) {
  return Job.all.find((each) => each.number === number);
}

/** Nothing runs any more, as another spec was opened. */
export function endAll() {
  for (const job of Job.all) if (job.number) job.end("");
}

/** An analysis of the spec as it was when it began. */
export class Run extends Job {
  constructor(ask) {
    super("run", () => ask(byId("analysis").value));
    this.shown = null;
    byId("analysis").addEventListener("change", () => this.tellSummary());
  }

  build(analyses) {
    this.analyses = analyses;
    byId("analysis").replaceChildren(...analyses.map(({ name }) => make("option", { value: name }, name)));
    this.tellSummary();
    byId("result").hidden = true;
  }

  tellSummary() {
    const chosen = this.analyses.find(({ name }) => name === byId("analysis").value);
    byId("summary").textContent = chosen ? sentence(chosen.summary) : "";
  }

  take(told) {
    this.end(told.complete ? "" : sentence(told.outcome));
    byId("result").hidden = false;
    byId("result-title").textContent = `${told.title}: ${told.analysis.replaceAll("-", " ")}`;
    fillSentences(byId("result-warnings"), told.warnings);
    fillFigures(byId("result-figures"), told.figures);
    this.shown?.unmount();
    byId("result-drawing").replaceChildren();
    this.shown = mount(byId("result-drawing"), told.document);
    byId("report-name").value = told.analysis;
  }
}

/** What is written when it is done: a dossier, or a file of the parts. */
export class Kept extends Job {
  take({ name, folder, words, parts }) {
    this.end(`Saved as ${name} in ${folder}. ${words.filter(Boolean).map(sentence).join(" ")}`);
    byId("kept-parts").replaceChildren(...parts.map(([title, told]) => make("tr", {}, make("th", { scope: "row" }, title), make("td", {}, told))));
  }
}
