// A view in a notebook: the drawing module, told by the traits of its widget and telling them.

import { mount } from "./mount.js";

/** What a notebook calls for every place in which a view is shown. */
function render({ model, el }) {
  const place = document.createElement("div");
  place.className = "flank-view";
  place.dataset.lmSuppressShortcuts = "true"; // keys of the drawing are none of the notebook
  el.append(place);
  let listens = false;
  const moved = (frame, playing) => {
    if (!listens) return;
    if (!playing) tell(model, { frame }); // sixty frames a second are not sent while it plays
    tell(model, { playing });
  };
  const shown = mount(place, model.get("document"), { autoplay: model.get("playing"), moved });
  shown.frame(model.get("frame"));
  listens = true;
  tell(model, { playing: Boolean(shown.state.playing) }); // a wish for less motion overrules

  const told = {
    "change:document": () => shown.update(model.get("document")),
    "change:frame": () => {
      if (model.get("frame") !== shown.state.frame) shown.frame(model.get("frame"));
    },
    "change:playing": () => (model.get("playing") ? shown.play() : shown.pause()),
  };
  for (const [name, act] of Object.entries(told)) model.on(name, act);
  return () => {
    listens = false;
    for (const [name, act] of Object.entries(told)) model.off(name, act);
    shown.unmount();
  };
}

/** What differs, to Python and to other places of the same view. */
function tell(model, traits) {
  const other = Object.entries(traits).filter(([name, value]) => model.get(name) !== value);
  for (const [name, value] of other) model.set(name, value);
  if (other.length) model.save_changes();
}

export default { render };
