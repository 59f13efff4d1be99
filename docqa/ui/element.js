// What every script begins with: text is put in as text, and is never read as HTML.

const el = (tag, cls, ...inside) => {
  const node = document.createElement(tag);
  if (cls) node.className = cls;
  node.append(...inside.flat(Infinity).filter(Boolean));
  return node;
};

// `label` is what a button is called where its text does not say enough.
const button = (cls, text, onclick, label) => {
  const node = Object.assign(el("button", cls, text), { type: "button", onclick });
  if (label) node.ariaLabel = label;
  return node;
};

// The outermost element of what a script draws, made when it is drawn first.
const rootOf = (place, cls, build = () => el("div", cls)) =>
  place.querySelector(`.${cls}`) ?? place.appendChild(build());

// What is remembered of what is drawn in a place, from one time to the next.
const memories = new WeakMap();
const memoryOf = (place) => memories.get(place) ?? memories.set(place, {}).get(place);

// Whether something else is to be drawn in a place than was there.
const isNew = (place, data) => {
  const [memory, said] = [memoryOf(place), JSON.stringify(data)];
  if (memory.said === said) return false;
  memory.said = said;
  return true;
};

// Whether the reader was opened anew since it was drawn last, and whether at least its page turned.
const arrival = (place, { visit, page }) => {
  const memory = memoryOf(place);
  const arrived = memory.visit !== visit;
  const turned = arrived || memory.page !== page;
  Object.assign(memory, { visit, page });
  return { arrived, turned };
};

// What was clicked stays in view when the reader opens beside it and what it stands in gets narrower.
const keepInView = (node, within) => {
  const watch = new ResizeObserver(() => node.scrollIntoView({ block: "nearest" }));
  watch.observe(within);
  setTimeout(() => watch.disconnect(), 3000);
};

// Turns the open document that many pages on; turning.js listens.
const turnPage = (step) => document.dispatchEvent(new CustomEvent("docqa-turn", { detail: step }));

const isModified = (event) => event.ctrlKey || event.altKey || event.metaKey;

// Puts a text on the clipboard; the button says so for a moment.
const copyBy = async (node, text) => {
  node.usual ??= [...node.childNodes];
  await navigator.clipboard.writeText(text);
  node.replaceChildren("Copied");
  setTimeout(() => node.replaceChildren(...node.usual), 1500);
};

// What a document or a model says, which may run from right to left.
const written = (tag, cls, ...inside) => Object.assign(el(tag, cls, inside), { dir: "auto" });

// A document's name, which breaks at its dashes first.
const nameOf = (name) =>
  el("span", "name", name.split(/(?<=[_-])/).map((part) => [part, el("wbr")]));

// The order of two values, by sign: what has none stands last either way, figures before words.
const inOrder = (a, b, sign) => {
  if (a == null || b == null) return (a == null) - (b == null);
  if (typeof a !== typeof b) return typeof a === "number" ? -sign : sign;
  return a < b ? -sign : a > b ? sign : 0;
};

const sign = (text) => Object.assign(el("span", "sign", text), { ariaHidden: "true" });

const meter = (percent) => {
  const bar = el("span", "meter", el("i"));
  bar.firstChild.style.width = `${percent}%`;
  return bar;
};

