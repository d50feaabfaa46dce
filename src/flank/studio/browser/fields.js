// Fields of the form and of questions: an entry or a choice with its label, unit and meaning.

import { make, sentence } from "./parts.js";

/** Fields of one question, by their names; ids begin with a word that no other question has. */
export class Fields {
  constructor(place, word, given) {
    this.fields = new Map(given.map((each) => [each.path, this.field(word, each)]));
    place.replaceChildren(...[...this.fields.values()].map(({ holder }) => holder));
  }

  field(word, given) {
    const id = `${word}-${given.path}`;
    const input = given.choices.length ? choice(given, id) : entry(given, id);
    const label = make("label", { for: id, title: given.path }, given.name.replaceAll("_", " "));
    const meaning = make("p", { class: "meaning", id: `${id}-meaning` }, told(given));
    const problem = make("p", { class: "problem", id: `${id}-problem` });
    return { input, problem, holder: make("div", { class: "field", "data-name": given.path }, label, input, meaning, problem) };
  }

  /** Texts of all fields. */
  get texts() {
    return Object.fromEntries([...this.fields].map(([path, { input }]) => [path, input.value.trim()]));
  }

  /** What is wrong, beside the field that a sentence begins with; others are given back. */
  light(problems) {
    for (const { holder, problem, input } of this.fields.values()) {
      holder.classList.remove("error", "refused");
      input.removeAttribute("aria-invalid");
      problem.textContent = "";
    }
    return problems.filter((text) => {
      const field = this.fields.get(/^\w+/.exec(text)?.[0]);
      if (!field) return true;
      field.holder.classList.add("error", "refused");
      field.input.setAttribute("aria-invalid", "true");
      field.input.setAttribute("aria-describedby", field.problem.id);
      field.problem.textContent = sentence(text);
      return false;
    });
  }
}

export function entry(given, id) {
  return make("input", {
    id, type: "text", value: given.value, spellcheck: "false", autocomplete: "off",
    placeholder: given.default || (given.example ? `as ${given.example}` : ""), "aria-describedby": `${id}-meaning`,
  });
}

export function choice(given, id) {
  const select = make("select", { id, class: "flank-select", "aria-describedby": `${id}-meaning` });
  if (!given.required) select.append(make("option", { value: "" }, given.default ? `(${given.default})` : "(none)"));
  for (const each of given.choices) select.append(make("option", { value: each }, each));
  select.value = given.value;
  return select;
}

export function told({ meaning, allowed, unit, choices }) {
  const limits = choices.length ? "" : [allowed, unit && `in ${unit}`].filter(Boolean).join(", ");
  return limits ? `${meaning} (${limits})` : meaning;
}
