// One answer: steps, text with citation pills, receipts, sources.

let quietUntil = 0; // after a click, the page it opened is not covered by a quote

// What is drawn where nothing is told of it.
const NOTHING = {
  steps: [], nodes: [], pills: [], warnings: [], notes: [], coverage: [], searches: [], sources: [],
  footer: [], actions: [], checks: { summary: "", problems: [], sums: [] },
};

export default function ({ data: told, parentElement, setTriggerValue }) {
  if (!isNew(parentElement, told)) return;
  const data = { ...NOTHING, ...told };
  const memory = memoryOf(parentElement);
  memory.open ??= new Set();
  const send = (what, n) => setTriggerValue("open", { what, n });
  const root = rootOf(parentElement, "turn");
  const card = quoteCard();
  const parts = [
    data.running && steps(data, memory),
    text(data, send, card),
    notices(data.partial ? [data.partial] : [], "partial"),
    notices(data.warnings, "warning"),
    data.notes.map((each) => el("p", "check", each)),
    checks(data, memory),
    coverage(data, memory, send),
    sources(data, memory, send),
    !data.running && steps(data, memory),
    footer(data, send),
  ];
  root.replaceChildren(...parts.flat().filter(Boolean), card.node);
  root.ariaBusy = String(Boolean(data.running));
  if (data.follow) follow(root, memory, data.follow);
  if (data.focus && memory.focused !== data.focus) {
    memory.focused = data.focus;
    requestAnimationFrame(() => root.scrollIntoView({ block: "nearest" }));
  }
}

// The conversation goes down with what is being answered, its question at the top at most, so
// that Stop, or what went wrong, is in view; not once the person has scrolled.
function follow(root, memory, asked) {
  const talk = root.getRootNode().host?.closest(".st-key-conversation");
  if (!talk) return;
  const step = () => {
    if (!root.isConnected) return clearInterval(memory.watch);
    const question = talk.querySelector(".st-key-question-under-way") ?? root;
    const above = question.getBoundingClientRect().top - talk.getBoundingClientRect().top - 8;
    const short = talk.scrollTop < talk.scrollHeight - talk.clientHeight - 2;
    const moved = memory.at !== undefined && Math.abs(talk.scrollTop - memory.at) > 2;
    if (moved && (short || above < 0)) return;
    talk.scrollTop += above;
    memory.at = talk.scrollTop;
  };
  if (memory.followed !== asked) {
    memory.followed = asked;
    memory.at = undefined;
    clearInterval(memory.watch);
    memory.watch = setInterval(step, 150); // what Streamlit draws below comes after this
  }
  step();
}

// What can be folded away; it stays open or closed while the answer is drawn anew.
function details(memory, key, cls, summary, ...inside) {
  const node = el("details", cls, el("summary", "", summary), inside);
  node.open = memory.open.has(key);
  node.ontoggle = () => (node.open ? memory.open.add(key) : memory.open.delete(key));
  return node;
}

const fold = (memory, key, summary, ...inside) =>
  details(memory, key, "fold", el("span", "", summary), inside);

function steps(data, memory) {
  if (!data.steps.length) return null;
  const lines = data.steps.map((step, n) => {
    const live = data.running && n === data.steps.length - 1 && !step.outcome;
    const outcome = step.outcome && el("span", "outcome", step.outcome);
    return el("li", "step", el("span", live ? "dot live" : "dot"), el("span", "told", step.text, outcome));
  });
  const list = el("ul", "steps", lines);
  if (!data.running) return fold(memory, "steps", data.steps_summary, list);
  list.ariaLive = "polite";
  return list;
}

function notices(sentences, cls) {
  if (!sentences.length) return null;
  const mark = cls === "partial" ? "⋯" : "!";
  return el(
    "div",
    "notices",
    sentences.map((each) => el("p", `notice ${cls}`, sign(mark), el("span", "", each))),
  );
}

function text(data, send, card) {
  const nodes = data.nodes.map((node) => piece(node, data, send, card));
  const caret = data.running && el("span", "caret");
  return written("div", data.verbatim ? "answer verbatim" : "answer", nodes, caret);
}

function piece(node, data, send, card) {
  const inlines = (values) => values.map((value) => inline(value, data, send, card));
  if (node.kind === "grid") return grid(node, inlines);
  if (node.kind !== "list") return written(node.kind === "heading" ? "h4" : "p", "", inlines(node.inlines));
  const list = el(node.first ? "ol" : "ul", "", node.items.map((item) => written("li", "", inlines(item))));
  if (node.first) list.start = node.first;
  return list;
}

// A column is set as figures, flush right, when each of its cells is a number with its unit.
const FIGURE = /^[\s(+\-–−±$€£¥]*\d[\d.,\s]*\S{0,3}\s?\S{0,6}\)?(?:\s?\([^)]{1,12}\))?$/;
const EMPTY = /^\s*(?:[-–—]|n\/?a|not stated|not found)?\s*$/i;

const wordsOf = (cell) => cell.map((value) => value.text ?? "").join("").trim();

function figureColumns(node) {
  return node.header.map((_, n) => {
    const words = node.rows.map((row) => wordsOf(row[n]));
    const said = words.filter((each) => !EMPTY.test(each));
    return said.length > 0 && said.every((each) => FIGURE.test(each));
  });
}

function grid(node, inlines) {
  const figures = figureColumns(node);
  const box = (tag, cell, n) => {
    const prose = wordsOf(cell).length > 60 ? "prose" : "";
    return written(tag, figures[n] ? "figure" : prose, inlines(cell));
  };
  const row = (cells, tag) => el("tr", "", cells.map((cell, n) => box(tag, cell, n)));
  const head = el("thead", "", row(node.header, "th"));
  const body = el("tbody", "", node.rows.map((cells) => row(cells, "td")));
  return el("div", "grid", el("table", "", head, body));
}

function inline(value, data, send, card) {
  if ("cite" in value) return pill(data.pills[value.cite], value.cite, send, card);
  if (value.doubt) return el("mark", "doubt", value.text);
  return el(value.strong ? "strong" : value.struck ? "s" : "span", "", value.text);
}

function pill(cited, n, send, card) {
  if (!cited) return el("span", "pill waiting", "…");
  const open = () => {
    quietUntil = Date.now() + 1500;
    card.hide();
    keepInView(node, node.closest(".turn"));
    send("cite", n);
    return false;
  };
  // A small one is a letter in its sentence; a line could break on both sides of a button.
  const { letter } = cited;
  const number = cited.number ? [el("span", "number", cited.number), " "] : [];
  const place = [el("span", "name", cited.name), " ", el("span", "page", cited.where)];
  const inside = [number, letter || place, cited.sign && sign(cited.sign)];
  const node = letter
    ? Object.assign(el("a", "pill small", inside), { href: "#", onclick: open })
    : button(`pill ${cited.verdict}`, inside, open);
  if (letter) node.ariaLabel = `${letter}: ${cited.title}`;
  node.setAttribute("aria-description", cited.told);
  node.onmouseenter = () => card.show(node, cited);
  node.onfocus = () => node.matches(":focus-visible") && card.show(node, cited);
  node.onmouseleave = node.onblur = () => card.hide();
  // Not by onkeydown: false returned there would keep Tab and Enter from doing anything.
  node.addEventListener("keydown", (event) => event.key === "Escape" && card.hide());
  return node;
}

function quoteCard() {
  const node = Object.assign(el("div", "card"), { role: "tooltip", popover: "manual" });
  const show = (anchor, cited) => {
    node.replaceChildren(
      el("div", "where", cited.title),
      written("blockquote", "", cited.quote),
      el("div", `verdict ${cited.verdict}`, `${cited.sign} ${cited.explained}`.trim()),
    );
    if (!node.isConnected || Date.now() < quietUntil) return;
    node.showPopover?.();
    const at = anchor.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = node;
    const below = at.bottom + 6 + height < innerHeight;
    node.style.left = `${Math.max(8, Math.min(at.left, innerWidth - width - 8))}px`;
    node.style.top = `${below ? at.bottom + 6 : Math.max(8, at.top - height - 6)}px`;
  };
  const hide = () => node.isConnected && node.hidePopover?.();
  return { node, show, hide };
}

function checks(data, memory) {
  const { summary, problems, sums } = data.checks;
  const missing = problems.map((each) => el("p", "check missing", sign("✕"), el("span", "", each)));
  const told = el("span", "", summary || "How the computed figures were worked out");
  const list = el("ul", "", sums.map((sum) => el("li", "", sum)));
  const rest = sums.length ? details(memory, "sums", "sums", told, list) : summary && el("p", "check", summary);
  return missing.length || rest ? el("div", "checks", missing, rest) : null;
}

function coverage(data, memory, send) {
  if (!data.coverage.length) return null;
  const heads = ["Document", "Passages used", "Cited", "Nearest", "Best score"].map((title) =>
    Object.assign(el("th", /used|Cited|score/.test(title) ? "figure" : "", title), { scope: "col" }),
  );
  const rows = data.coverage.map((line, n) => {
    const open = () => send("cover", n);
    const label = `${line.told}: open ${line.document}`;
    return el(
      "tr",
      line.used ? "" : "none",
      el("td", "", line.document),
      el("td", "figure", line.passages),
      el("td", "figure", String(line.cited)),
      el("td", "", line.page ? button("link", line.told, open, label) : line.told),
      el("td", "figure", line.score),
    );
  });
  const table = el("table", "coverage", el("tr", "", heads), rows);
  return fold(memory, "coverage", data.coverage_summary, table, searches(data.searches));
}

function searches(run) {
  if (!run.length) return null;
  const lines = run.map(({ query, where }) =>
    written("li", "", `“${query}”`, where && el("span", "where", ` in ${where}`)),
  );
  return Object.assign(el("ul", "searches", lines), { ariaLabel: "Searched for" });
}

function sources(data, memory, send) {
  if (!data.sources.length) return null;
  const each = data.sources.map((source, n) => sourceOf(source, n, memory, send));
  return fold(memory, "sources", data.sources_summary, each);
}

function sourceOf(source, n, memory, send) {
  const { strength } = source;
  const head = [
    el("span", "label", source.label),
    el("span", "name", source.document),
    el("span", "pages", source.pages),
    el("span", "cited", source.cited && "cited"),
  ];
  if (strength !== null) {
    head.push(meter(Math.round(strength * 100)), el("span", "figure", strength.toFixed(2)));
  }
  const scores = source.scores.map(([stage, value]) =>
    el("div", "", el("dt", "", stage), el("dd", "figure", value)),
  );
  const label = `Open the page: ${source.document}, ${source.pages}`;
  return details(
    memory,
    `source ${source.label}`,
    "source",
    head,
    source.section && el("p", "section", source.section),
    el("div", "passage", source.text.split("\n\n").map((part) => written("p", "", part))),
    el("dl", "", scores),
    button("link", "Open the page", () => send("source", n), label),
  );
}

function footer(data, send) {
  if (data.running) return null;
  const doing = data.actions.map(([what, label]) => button("link", label, () => send(what, 0)));
  if (data.save) {
    const label = "Download the answer as a Markdown file";
    doing.push(button("link", "Download", () => save(data.save, data.file), label));
  }
  if (data.copy) {
    const label = "Copy the answer with its citations";
    doing.push(button("link", "Copy", ({ currentTarget }) => copyBy(currentTarget, data.copy), label));
  }
  const notes = data.footer.map((note) => el("span", "", note));
  return el("div", "footer", notes, doing.length ? el("span", "doing", doing) : null);
}

function save(text, name) {
  const file = el("a");
  file.href = URL.createObjectURL(new Blob([text], { type: "text/markdown" }));
  file.download = name;
  file.click();
  setTimeout(() => URL.revokeObjectURL(file.href), 1000);
}
