// Pictures below moving/ stand for drawings that move. Each is replaced once it comes into view, and
// plays while it is there; without script, or from a file, the picture stays. Generated files beside
// it: NAME.json, the document, and drawing.js with drawing.css, the module that draws.
const stills = [...document.querySelectorAll('article img[src*="moving/"]')];

function load(kind, attributes) {
  return new Promise((resolve, reject) => {
    const made = Object.assign(document.createElement(kind), attributes);
    made.onload = resolve;
    made.onerror = reject;
    document.head.append(made);
  });
}

let module = null;
function drawing(beside) {
  module ??= Promise.all([
    load("link", { rel: "stylesheet", href: new URL("drawing.css", beside).href }),
    load("script", { src: new URL("drawing.js", beside).href }),
  ]);
  return module;
}

async function replace(still) {
  const [answer] = await Promise.all([fetch(still.src.replace(/\.png$/, ".json")), drawing(still.src)]);
  if (!answer.ok) throw new Error(answer.statusText);
  const place = document.createElement("div");
  place.className = "moving";
  still.replaceWith(place);
  return globalThis.flank.drawing.mount(place, await answer.json(), { autoplay: true });
}

/** Whatever goes on out of sight costs time: it goes on when it is seen again. */
function watch(shown) {
  let playing = false;
  new IntersectionObserver(([{ isIntersecting }]) => {
    if (isIntersecting && playing) shown.play();
    if (!isIntersecting) {
      playing = shown.state.playing;
      shown.pause();
    }
  }).observe(shown.root);
  new MutationObserver(() => shown.stage.readLook()).observe(document.body, {
    attributeFilter: ["data-md-color-scheme"],
  });
}

const near = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      near.unobserve(target);
      replace(target).then(watch, () => {}); // the picture stays
    }
  },
  { rootMargin: "200px" },
);
for (const still of stills) near.observe(still);
