// Keys that work wherever nothing is being typed. What they do is done by clicking what is there,
// so that a key can do nothing that a person could not do with the mouse.

const PATIENCE = 4000; // milliseconds until a field that was asked for is given up
const FIELDS = "input:not([type=checkbox], [type=radio]), textarea, select, canvas, [contenteditable]";
const ASKING = "[data-testid=stChatInputTextArea], .st-key-compared_on input";
const PAGES = "[data-testid=stTopNavLink]";
const FIND = ".st-key-seek input";
let on = false; // whether keys do anything
let connecting = 0; // how many times the key's field was asked for
let awaited = 0; // the field that is waited for, so that what is typed early does nothing else

export default function ({ data }) {
  on = data.on;
  resize(Number(localStorage.getItem(WIDTH)) || USUAL);
  if (data.connecting > connecting) focus(".st-key-api_key input");
  connecting = data.connecting;
}

document.addEventListener("keydown", listen);
new MutationObserver(showWhatAsks).observe(document.body, { childList: true, subtree: true });

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

// What looks for words takes the focus as soon as it is there.
const SEEK = ".st-key-seek_in_reader button";
document.addEventListener("click", ({ target }) => {
  if (target.closest?.(SEEK) && !document.querySelector(FIND)) focus(FIND);
});

// The reader's width, in percent of the page: by its edge, with the mouse or the arrows, or by "w".
const [WIDTH, USUAL, WIDE] = ["docqa-reader-width", 47, 70];
let width = USUAL;
const edge = () => document.querySelector(".reader-edge");

function resize(percent) {
  width = Math.round(Math.max(25, Math.min(75, percent)));
  localStorage.setItem(WIDTH, width);
  document.documentElement.style.setProperty("--reader", `${width}%`);
  edge()?.setAttribute("aria-valuenow", width);
  return true;
}

document.addEventListener("pointerdown", (event) => {
  if (!event.target.closest?.(".reader-edge")) return;
  event.preventDefault();
  const row = edge().closest(".stHorizontalBlock").getBoundingClientRect();
  const drag = ({ clientX }) => resize((100 * (row.right - clientX)) / row.width);
  document.addEventListener("pointermove", drag);
  document.addEventListener("pointerup", () => document.removeEventListener("pointermove", drag), { once: true });
});

// Where the reader covers the page, what is under it cannot have the focus.
const covered = (node) => !node.checkVisibility({ visibilityProperty: true });

function listen(event) {
  const at = focused();
  if (!on || isModified(event) || event.defaultPrevented || awaited || at?.matches(FIELDS)) return;
  if (document.querySelector("[data-testid=stDialog]")) return;
  if (act(event.key, at)) event.preventDefault();
}

function act(key, at) {
  if (key === "/") {
    if ([...document.querySelectorAll(ASKING)].some(covered)) press(".st-key-close_reader button");
    return focus(ASKING);
  }
  if (key === "n") return cite(1, at);
  if (key === "p") return cite(-1, at);
  if (key === "f") return document.querySelector(FIND) ? focus(FIND) : press(SEEK);
  if (key === "w") return Boolean(edge()) && resize(width > USUAL ? USUAL : WIDE);
  if (key === "x") return press(".st-key-close_reader button");
  if (key === "?") return press(".st-key-keyboard button");
  if (/^[1-9]$/.test(key)) return press(PAGES, Number(key) - 1);
  const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
  // Elsewhere the arrows belong to what has the focus: a slider, a row of choices, a zoomed page.
  const free = !at || at === document.body || at.matches(".pill");
  if (step && at?.matches(".reader-edge")) return resize(width - 3 * step);
  return Boolean(step && free && document.querySelector(".st-key-reader")) && turnPage(step);
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

// A field that is drawn anew loses the focus, so it is looked at once more; one that is still there
// and has lost it was left by the person.
function focus(selector, until = Date.now() + PATIENCE, given = null) {
  const field = document.querySelector(selector);
  const settled = field && (field === given || focused() === field);
  if (!settled) field?.focus();
  const taken = focused() === field ? field : null;
  const again = settled || Date.now() > until ? 0 : setTimeout(() => focus(selector, until, taken), 50);
  awaited = taken ? 0 : again;
  return true;
}

// From the citation that has the focus, or was gone to last, to the next; without one, to the last
// answer's first.
let cited = null;
function cite(step, at) {
  const inside = document.querySelectorAll(".st-key-talk *, .st-key-comparison *");
  const answers = [...inside]
    .map((host) => [...(host.shadowRoot?.querySelectorAll(".pill:not(.waiting)") ?? [])])
    .filter((pills) => pills.length);
  const pills = answers.flat();
  const from = pills.indexOf(cited && covered(cited) ? cited : at);
  const next = from < 0 ? answers.at(-1)?.[0] : pills[from + step];
  if (next) cited = next;
  next?.click();
  next?.focus();
  return Boolean(next);
}
