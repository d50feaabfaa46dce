// Opens each of PAGES in a frame and sends what it finds there as JSON to /found.
async function look(address) {
  const frame = document.createElement("iframe");
  frame.width = 1280;
  frame.height = 1000;
  await new Promise((resolve) => {
    frame.onload = resolve;
    frame.src = address;
    document.body.append(frame);
  });
  const page = frame.contentDocument;
  const view = frame.contentWindow;
  await page.fonts.ready;
  await new Promise((resolve) => view.requestAnimationFrame(() => view.setTimeout(resolve, 50)));
  const all = (selector) => [...page.querySelectorAll(selector)];
  // the first picture that is in sight and stands for a drawing, and is none yet
  const still = () => all('article img[src*="moving/"]').filter((one) => one.getBoundingClientRect().top < frame.height).slice(0, 1);
  const patience = view.performance.now() + 20000;
  while (still().length && view.performance.now() < patience) await new Promise((resolve) => view.setTimeout(resolve, 50));
  const loaded = view.performance.getEntriesByType("resource");
  const right = page.documentElement.clientWidth;
  const found = {
    drawn: all(".arithmatex .katex").length,
    errors: all(".katex-error").map((one) => one.title),
    raw: all(".arithmatex:not(:has(.katex))").map((one) => one.textContent),
    foreign: loaded.map((one) => one.name).filter((name) => !name.startsWith(location.origin)),
    missing: [
      ...loaded.filter((one) => one.responseStatus >= 400).map((one) => one.name),
      ...all("img").filter((one) => one.complete && !one.naturalWidth).map((one) => one.src),
      ...[...page.fonts].filter((one) => one.status === "error").map((one) => one.family),
    ],
    still: still().map((one) => one.src),
    wide: all("article .md-typeset__scrollwrap, article img, article div.arithmatex")
      .filter((one) => one.getBoundingClientRect().right > right)
      .map((one) => one.textContent.trim().slice(0, 60) || one.src),
  };
  frame.width = 390;
  await new Promise((resolve) => view.requestAnimationFrame(() => view.setTimeout(resolve, 20)));
  found.narrow = beyond(page, view);
  frame.remove();
  return found;
}

// What leaves a narrow page on the right, and stands in nothing that scrolls.
function beyond(page, view) {
  const scrolls = (one) => one.tagName !== "ARTICLE" && (view.getComputedStyle(one).overflowX !== "visible" || scrolls(one.parentElement));
  const out = (one) => one.getBoundingClientRect().right > view.innerWidth + 1 && !scrolls(one.parentElement);
  return [...page.querySelectorAll("article *")].filter(out).slice(0, 3).map((one) => one.textContent.trim().slice(0, 60) || one.tagName);
}

addEventListener("load", async () => {
  const found = {};
  for (const address of PAGES) found[address] = await look(address);
  await fetch("/found", { method: "POST", body: JSON.stringify(found) });
});
