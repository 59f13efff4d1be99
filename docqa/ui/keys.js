// Keys that work wherever nothing is being typed. What they do is done by clicking what is there,
// so that a key can do nothing that a person could not do with the mouse.

const remembered = new WeakMap();
const PATIENCE = 4000; // milliseconds until a field that was asked for is given up
const FIELDS = "input:not([type=checkbox], [type=radio]), textarea, select, canvas, [contenteditable]";
const ASKING = "[data-testid=stChatInputTextArea], .st-key-compared_on input";
const PAGES = "[data-testid=stTopNavLink]";
let awaited = 0; // the field that is waited for, so that what is typed early does nothing else

export default function ({ data, parentElement }) {
  document.removeEventListener("keydown", remembered.get(parentElement));
  const heard = (event) => data.on && listen(event);
  remembered.set(parentElement, heard);
  document.addEventListener("keydown", heard);
  const watching = new MutationObserver(showWhatAsks);
  watching.observe(document.body, { childList: true, subtree: true });
  return () => {
    document.removeEventListener("keydown", heard);
    watching.disconnect();
  };
}

// What waits for the person's choice is shown from its beginning while it is drawn, until the
// person does something.
let asking = null;
const growing = new ResizeObserver(([drawn]) => drawn.target.scrollIntoView({ block: "start" }));
for (const doing of ["pointerdown", "wheel", "keydown"]) {
  document.addEventListener(doing, () => growing.disconnect(), { capture: true, passive: true });
}

function showWhatAsks() {
  const found = document.querySelector(".st-key-choosing, .st-key-sending");
  if (found === asking) return;
  asking = found;
  growing.disconnect();
  if (found) growing.observe(found);
}

function listen(event) {
  const at = focused();
  const other = event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented;
  if (other || awaited || at?.matches(FIELDS) || document.querySelector("[data-testid=stDialog]")) return;
  const doing = act(event.key, at);
  if (doing) event.preventDefault();
}

function act(key, at) {
  if (key === "/") return focus(ASKING);
  if (key === "n") return cite(1, at);
  if (key === "p") return cite(-1, at);
  if (key === "f") return document.querySelector(".st-key-seek input")
    ? focus(".st-key-seek input")
    : press(".st-key-seek_in_reader button") && focus(".st-key-seek input");
  if (key === "x") return press(".st-key-close_reader button");
  if (key === "?") return press(".st-key-keyboard summary");
  if (/^[1-9]$/.test(key)) return press(PAGES, Number(key) - 1);
  const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
  // Elsewhere the arrows belong to what has the focus: a slider, a row of choices, a zoomed page.
  const free = !at || at === document.body || at.matches(".pill");
  if (!step || !free || !document.querySelector(".st-key-reader")) return false;
  return !document.dispatchEvent(new CustomEvent("docqa-turn", { detail: step })) || true;
}

function focused() {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at;
}

function press(selector, n = 0) {
  const found = document.querySelectorAll(selector)[n];
  if (!found || found.disabled) return false;
  found.scrollIntoView({ block: "nearest" });
  found.click();
  return true;
}

function focus(selector, until = Date.now() + PATIENCE) {
  const field = document.querySelector(selector);
  awaited = field || Date.now() > until ? 0 : setTimeout(() => focus(selector, until), 50);
  field?.focus();
  return true;
}

// From the citation that has the focus to the next; without one, to the last answer's first.
function cite(step, at) {
  const inside = document.querySelectorAll(".st-key-talk *, .st-key-comparison *");
  const answers = [...inside]
    .map((host) => [...(host.shadowRoot?.querySelectorAll(".pill:not(.waiting)") ?? [])])
    .filter((pills) => pills.length);
  const pills = answers.flat();
  const from = pills.indexOf(at);
  const next = from < 0 ? answers.at(-1)?.[0] : pills[from + step];
  next?.click();
  next?.focus();
  return Boolean(next);
}
