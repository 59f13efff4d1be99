// One page as an image, the cited blocks marked on it. Zoom and scroll position live here.

const zooms = ["page", 1, 1.25, 1.5, 2, 3];
const WIDTH = 1; // the place of the zoom at which the page is as wide as its frame
const remembered = new WeakMap();

export default function ({ data, parentElement, setStateValue }) {
  const frame = parentElement.querySelector(".frame") ?? build(parentElement);
  const memory = remembered.get(parentElement) ?? { zoom: WIDTH, visit: null, page: null };
  remembered.set(parentElement, memory);
  const sheet = frame.querySelector(".sheet");
  const image = sheet.querySelector("img");
  const marks = sheet.querySelector(".marks");
  const arrived = memory.visit !== data.visit;
  const turned = arrived || memory.page !== data.page;
  memory.visit = data.visit;
  memory.page = data.page;

  const ready = () => {
    image.dataset.page = data.page;
    image.dataset.pixels = image.naturalWidth;
    if (!turned) return;
    const first = marks.querySelector(".current") ?? marks.querySelector(".opened");
    if (first ?? marks.firstChild) centre(frame, first ?? marks.firstChild);
    else frame.scrollTo(0, 0);
  };
  image.onload = ready;
  image.alt = data.alt;
  sheet.style.aspectRatio = `${data.width} / ${data.height}`;
  if (image.src !== data.src) image.src = data.src;
  marks.replaceChildren(
    ...data.marks.map(({ box, kind, number, text }) => {
      const flashes = arrived && (kind === "current" || kind === "opened");
      const mark = el("div", `mark ${kind}${flashes ? " flash" : ""}`);
      [mark.style.left, mark.style.top, mark.style.width, mark.style.height] = box.map(
        (side) => `${side}%`,
      );
      if (number) mark.append(el("span", "number", number));
      if (text) mark.append(el("span", "", text));
      return mark;
    }),
  );
  if (image.complete) ready();

  // A page that is shown larger than it was drawn is drawn anew, as large as it is shown.
  const sharpen = () => {
    const needed = (sheet.clientWidth * devicePixelRatio) / data.width;
    const scale = data.scales.find((each) => each >= 0.95 * needed) ?? data.scales.at(-1);
    if (frame.isConnected && needed && scale !== data.scale) setStateValue("scale", scale);
  };
  const zoom = (step) => {
    const middle = [
      (frame.scrollLeft + frame.clientWidth / 2) / sheet.offsetWidth,
      (frame.scrollTop + frame.clientHeight / 2) / sheet.offsetHeight,
    ];
    memory.zoom = Math.max(0, Math.min(zooms.length - 1, memory.zoom + step));
    const chosen = zooms[memory.zoom];
    const whole = `calc((100dvh - var(--above, 12.2rem) - 2px) * ${data.width / data.height})`;
    sheet.style.width = chosen === "page" ? `min(100%, ${whole})` : `${chosen * 100}%`;
    const amount = { page: "Page", 1: "Width" }[chosen] ?? `${chosen * 100}%`;
    parentElement.querySelector(".amount").textContent = amount;
    if (step) {
      frame.scrollLeft = middle[0] * sheet.offsetWidth - frame.clientWidth / 2;
      frame.scrollTop = middle[1] * sheet.offsetHeight - frame.clientHeight / 2;
    }
    clearTimeout(memory.sharpening);
    memory.sharpening = setTimeout(sharpen, step ? 250 : 600);
  };
  zoom(0);
  parentElement.querySelector(".amount").onclick = () => zoom(WIDTH - memory.zoom);
  parentElement.querySelector(".out").onclick = () => zoom(-1);
  parentElement.querySelector(".in").onclick = () => zoom(1);
  // What a row is called stays in view where the page is wider than its frame.
  frame.onscroll = () => frame.classList.toggle("aside", frame.scrollLeft > sheet.clientWidth / 20);
  frame.onkeydown = (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const closer = { "+": 1, "=": 1, "-": -1, 0: WIDTH - memory.zoom }[event.key];
    const step = { PageDown: 1, ArrowRight: 1, PageUp: -1, ArrowLeft: -1 }[event.key];
    if (closer !== undefined) zoom(closer);
    else if (!step || (event.key.startsWith("Arrow") && memory.zoom > WIDTH)) return;
    else document.dispatchEvent(new CustomEvent("docqa-turn", { detail: step }));
    event.preventDefault();
  };
}

function build(parentElement) {
  const bar = el("div", "bar");
  for (const [cls, sign, label] of [
    ["out", "−", "Zoom out"],
    ["amount", "Width", "Fit the page's width"],
    ["in", "+", "Zoom in"],
  ]) {
    const node = el("button", cls, sign);
    node.title = label;
    if (cls !== "amount") node.setAttribute("aria-label", label);
    bar.append(node);
  }
  const frame = el("div", "frame");
  frame.tabIndex = 0;
  frame.setAttribute("role", "region");
  frame.setAttribute("aria-label", "Page; left and right arrows turn it, plus and minus zoom");
  const sheet = el("div", "sheet");
  sheet.append(el("img"), el("div", "marks"));
  frame.append(sheet);
  const box = el("div", "viewer");
  box.append(frame, bar);
  parentElement.append(box);
  return frame;
}

function centre(frame, mark) {
  const top = mark.offsetTop - frame.clientHeight / 3;
  const left = mark.offsetLeft + mark.offsetWidth / 2 - frame.clientWidth / 2;
  frame.scrollTo({ top: Math.max(0, top), left: Math.max(0, left) });
}
