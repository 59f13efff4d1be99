// One page as an image, the cited blocks marked on it. Zoom and scroll position live here.

const zooms = ["page", 1, 1.25, 1.5, 2, 3];
const WIDTH = 1; // the place of the zoom at which the page is as wide as its frame

export default function ({ data, parentElement, setStateValue }) {
  const frame = rootOf(parentElement, "viewer", build).querySelector(".frame");
  const { arrived, turned } = arrival(parentElement, data);
  const memory = memoryOf(parentElement);
  memory.zoom ??= WIDTH;
  const sheet = frame.querySelector(".sheet");
  const image = sheet.querySelector("img");
  const marks = sheet.querySelector(".marks");

  const ready = () => {
    image.dataset.page = data.page;
    image.dataset.pixels = image.naturalWidth;
    if (!turned) return;
    const first = marks.querySelector(".current") ?? marks.querySelector(".opened") ?? marks.firstChild;
    if (first) centre(frame, first);
    else frame.scrollTo(0, 0);
  };
  image.onload = ready;
  image.alt = data.alt;
  sheet.style.aspectRatio = `${data.width} / ${data.height}`;
  if (image.src !== data.src) image.src = data.src;
  marks.replaceChildren(
    ...data.marks.map(({ box, kind, number, text }) => {
      const flashes = arrived && (kind === "current" || kind === "opened");
      const inside = [number && el("span", "number", number), text && el("span", "", text)];
      const mark = el("div", `mark ${kind}${flashes ? " flash" : ""}`, inside);
      const [left, top, width, height] = box.map((side) => `${side}%`);
      Object.assign(mark.style, { left, top, width, height });
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
    if (isModified(event)) return;
    const closer = { "+": 1, "=": 1, "-": -1, 0: WIDTH - memory.zoom }[event.key];
    const step = { PageDown: 1, ArrowRight: 1, PageUp: -1, ArrowLeft: -1 }[event.key];
    if (closer !== undefined) zoom(closer);
    else if (!step || (event.key.startsWith("Arrow") && memory.zoom > WIDTH)) return;
    else turnPage(step);
    event.preventDefault();
  };
}

function build() {
  const zoom = (cls, text, title, label) => Object.assign(button(cls, text, null, label), { title });
  const bar = el(
    "div",
    "bar",
    zoom("out", "−", "Zoom out", "Zoom out"),
    zoom("amount", "Width", "Fit the page's width"),
    zoom("in", "+", "Zoom in", "Zoom in"),
  );
  const frame = el("div", "frame", el("div", "sheet", el("img"), el("div", "marks")));
  const ariaLabel = "Page; left and right arrows turn it, plus and minus zoom";
  return el("div", "viewer", Object.assign(frame, { tabIndex: 0, role: "region", ariaLabel }), bar);
}

function centre(frame, mark) {
  const top = mark.offsetTop - frame.clientHeight / 3;
  const left = mark.offsetLeft + mark.offsetWidth / 2 - frame.clientWidth / 2;
  frame.scrollTo({ top: Math.max(0, top), left: Math.max(0, left) });
}
