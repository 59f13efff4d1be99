// Turning the pages of the open document. The field is never rewritten while it is typed in, and
// clicks that come faster than pages add up.

const remembered = new WeakMap();
const PATIENCE = 4000; // milliseconds after which a page that was asked for is given up

export default function ({ data, parentElement, setTriggerValue }) {
  const bar = parentElement.querySelector(".turning") ?? build(parentElement);
  const memory = remembered.get(parentElement) ?? {};
  remembered.set(parentElement, memory);
  const field = bar.querySelector("input");
  const [before, after] = bar.querySelectorAll("button");
  if (memory.visit !== data.visit || memory.wanted === data.page) memory.wanted = null;
  memory.visit = data.visit;

  const show = (page) => {
    if (!memory.typing) field.value = page;
    before.disabled = page <= 1;
    after.disabled = page >= data.pages;
  };
  const go = (to) => {
    memory.typing = false;
    memory.wanted = Number.isInteger(to) ? to : null;
    memory.asked = Date.now();
    show(to);
    setTriggerValue("go", String(to));
  };
  const turn = (step) => {
    const late = Date.now() - (memory.asked ?? 0) > PATIENCE;
    const from = memory.wanted === null || late ? data.page : memory.wanted;
    const to = Math.max(1, Math.min(data.pages, from + step));
    if (to !== from) go(to);
  };
  const typed = () => {
    const said = field.value.trim();
    if (!memory.typing || !said) return cancel();
    if (!/^\d+$/.test(said)) return go(said);
    go(Math.max(1, Math.min(data.pages, Number(said))));
  };
  const cancel = () => {
    memory.typing = false;
    show(memory.wanted ?? data.page);
  };

  show(memory.wanted ?? data.page);
  const label = (node, said) => node.setAttribute("aria-label", (node.title = said));
  label(before, `Previous ${data.unit}`);
  label(after, `Next ${data.unit}`);
  field.title = data.unit === "page" ? "Its number in the file, or the one printed on it" : "";
  field.setAttribute("aria-label", data.unit[0].toUpperCase() + data.unit.slice(1));
  bar.querySelector(".of").textContent = `of ${data.pages.toLocaleString("en-US")}`;
  bar.querySelector(".printed").textContent = data.printed ? `printed “${data.printed}”` : "";
  before.onclick = () => turn(-1);
  after.onclick = () => turn(1);
  field.onfocus = field.onclick = () => memory.typing || field.select();
  field.oninput = () => (memory.typing = true);
  field.onblur = typed;
  field.onkeydown = (event) => {
    if (event.key === "Enter") typed();
    if (event.key === "Escape") cancel();
  };
  const heard = (event) => turn(event.detail);
  document.removeEventListener("docqa-turn", memory.heard);
  document.addEventListener("docqa-turn", heard);
  memory.heard = heard;
  return () => document.removeEventListener("docqa-turn", memory.heard);
}

function build(parentElement) {
  const el = (tag, cls) => Object.assign(document.createElement(tag), { className: cls });
  const step = (sign) => Object.assign(el("button", "step"), { type: "button", textContent: sign });
  const field = el("input", "number");
  field.type = "text";
  field.autocomplete = "off";
  const bar = el("div", "turning");
  bar.append(step("‹"), field, el("span", "of"), step("›"), el("span", "printed"));
  parentElement.append(bar);
  return bar;
}
