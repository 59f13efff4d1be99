// Turning the pages of the open document. The field is never rewritten while it is typed in, and
// clicks that come faster than pages add up.

const PATIENCE = 4000; // milliseconds after which a page that was asked for is given up
let turning = null; // what turns the pages at the moment
document.addEventListener("docqa-turn", ({ detail }) => turning?.(detail));

export default function ({ data, parentElement, setTriggerValue }) {
  const bar = rootOf(parentElement, "turning", build);
  const memory = memoryOf(parentElement);
  const field = bar.querySelector("input");
  const [before, after] = bar.querySelectorAll("button");
  if (memory.visit !== data.visit || memory.wanted === data.page) memory.wanted = null;
  memory.visit = data.visit;

  const show = (page) => {
    if (!memory.typing) field.value = page;
    before.disabled = page <= 1;
    after.disabled = page >= data.pages;
  };
  const within = (page) => Math.max(1, Math.min(data.pages, page));
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
    const to = within(from + step);
    if (to !== from) go(to);
  };
  const typed = () => {
    const said = field.value.trim();
    if (!memory.typing || !said) return cancel();
    go(/^\d+$/.test(said) ? within(Number(said)) : said);
  };
  const cancel = () => {
    memory.typing = false;
    show(memory.wanted ?? data.page);
  };

  show(memory.wanted ?? data.page);
  before.ariaLabel = before.title = `Previous ${data.unit}`;
  after.ariaLabel = after.title = `Next ${data.unit}`;
  field.ariaLabel = data.unit[0].toUpperCase() + data.unit.slice(1);
  field.title = data.unit === "page" ? "Its number in the file, or the one printed on it" : "";
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
  turning = turn;
  return () => {
    if (turning === turn) turning = null;
  };
}

function build() {
  const field = Object.assign(el("input", "number"), { type: "text", autocomplete: "off" });
  const [before, after] = [button("step", "‹"), button("step", "›")];
  return el("div", "turning", before, field, el("span", "of"), after, el("span", "printed"));
}
