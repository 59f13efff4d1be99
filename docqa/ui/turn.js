// One answer: steps, text with citation pills, receipts, sources. All text goes through
// textContent; nothing that comes in `data` is ever read as HTML.

const button = (cls, label, onclick) => {
  const node = el("button", cls);
  if (label) node.setAttribute("aria-label", label);
  node.onclick = onclick;
  return node;
};

const remembered = new WeakMap();
let quietUntil = 0; // after a click, the page it opened is not covered by a quote

export default function ({ data, parentElement, setTriggerValue }) {
  const memory = remembered.get(parentElement) ?? { open: new Set(), focused: "", said: "" };
  remembered.set(parentElement, memory);
  const said = JSON.stringify(data);
  if (memory.said === said) return;
  memory.said = said;
  const send = (what, n) => setTriggerValue("open", { what, n });
  let root = parentElement.querySelector(".turn");
  if (!root) {
    root = el("div", "turn");
    parentElement.appendChild(root);
  }
  const card = quoteCard();
  const parts = [
    data.running && steps(data, memory),
    text(data, send, card),
    notices(data.partial ? [data.partial] : [], "partial"),
    notices(data.warnings, "warning"),
    checks(data, memory),
    coverage(data, memory, send),
    sources(data, memory, send),
    !data.running && steps(data, memory),
    footer(data, send),
  ];
  root.replaceChildren(...parts.filter(Boolean), card.node);
  root.setAttribute("aria-busy", String(Boolean(data.running)));
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

function details(memory, key, cls, summary) {
  const node = el("details", cls);
  node.open = memory.open.has(key);
  node.ontoggle = () => (node.open ? memory.open.add(key) : memory.open.delete(key));
  const head = el("summary");
  head.append(...[summary].flat());
  node.append(head);
  return node;
}

function steps(data, memory) {
  if (!data.steps.length) return null;
  const lines = data.steps.map((step, n) => {
    const line = el("li", "step");
    const live = data.running && n === data.steps.length - 1 && !step.outcome;
    const told = el("span", "told", step.text);
    if (step.outcome) told.append(el("span", "outcome", step.outcome));
    line.append(el("span", live ? "dot live" : "dot"), told);
    return line;
  });
  const list = el("ul", "steps");
  list.append(...lines);
  if (data.running) {
    list.setAttribute("aria-live", "polite");
    return list;
  }
  const box = details(memory, "steps", "fold", el("span", "", data.steps_summary));
  box.append(list);
  return box;
}

function notices(sentences, cls) {
  if (!sentences.length) return null;
  const box = el("div", "notices");
  box.append(
    ...sentences.map((sentence) => {
      const line = el("p", `notice ${cls}`);
      const sign = el("span", "sign", cls === "partial" ? "⋯" : "!");
      sign.setAttribute("aria-hidden", "true");
      line.append(sign, el("span", "", sentence));
      return line;
    }),
  );
  return box;
}

function text(data, send, card) {
  const box = el("div", data.verbatim ? "answer verbatim" : "answer");
  box.dir = "auto";
  box.append(...data.nodes.map((node) => piece(node, data, send, card)));
  if (data.running) box.append(el("span", "caret"));
  return box;
}

function piece(node, data, send, card) {
  const inlines = (values) => values.map((value) => inline(value, data, send, card));
  if (node.kind === "list") {
    const list = el(node.first ? "ol" : "ul");
    if (node.first) list.start = node.first;
    for (const item of node.items) {
      const line = el("li");
      line.dir = "auto";
      line.append(...inlines(item));
      list.append(line);
    }
    return list;
  }
  if (node.kind === "grid") return grid(node, inlines);
  const line = el(node.kind === "heading" ? "h4" : "p");
  line.dir = "auto";
  line.append(...inlines(node.inlines));
  return line;
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
  const table = el("table");
  const figures = figureColumns(node);
  const row = (cells, tag) => {
    const line = el("tr");
    cells.forEach((cell, n) => {
      const prose = wordsOf(cell).length > 60 ? "prose" : "";
      const box = el(tag, figures[n] ? "figure" : prose);
      box.dir = "auto";
      box.append(...inlines(cell));
      line.append(box);
    });
    return line;
  };
  const head = el("thead");
  head.append(row(node.header, "th"));
  const body = el("tbody");
  body.append(...node.rows.map((cells) => row(cells, "td")));
  table.append(head, body);
  const frame = el("div", "grid");
  frame.append(table);
  return frame;
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
    send("cite", n);
    return false;
  };
  // A small one is a letter in its sentence; a line could break on both sides of a button.
  const node = cited.letter ? el("a", "pill small") : button(`pill ${cited.verdict}`, "", open);
  if (cited.number) node.append(el("span", "number", String(cited.number)), " ");
  if (cited.letter) {
    node.href = "#";
    node.onclick = open;
    node.setAttribute("aria-label", `${cited.letter}: ${cited.title}`);
    node.append(cited.letter);
  } else {
    node.append(el("span", "name", cited.name), " ", el("span", "page", cited.where));
  }
  if (cited.sign) {
    const sign = el("span", "sign", cited.sign);
    sign.setAttribute("aria-hidden", "true");
    node.append(sign);
  }
  node.setAttribute("aria-description", cited.told);
  node.onmouseenter = () => card.show(node, cited);
  node.onfocus = () => node.matches(":focus-visible") && card.show(node, cited);
  node.onmouseleave = node.onblur = () => card.hide();
  // Not by onkeydown: false returned there would keep Tab and Enter from doing anything.
  node.addEventListener("keydown", (event) => event.key === "Escape" && card.hide());
  return node;
}

function quoteCard() {
  const node = el("div", "card");
  node.setAttribute("role", "tooltip");
  node.popover = "manual";
  const show = (anchor, cited) => {
    const quote = el("blockquote", "", cited.quote);
    quote.dir = "auto";
    node.replaceChildren(
      el("div", "where", cited.title),
      quote,
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
  const box = el("div", "checks");
  for (const problem of problems) {
    const line = el("p", "check missing");
    const sign = el("span", "sign", "✕");
    sign.setAttribute("aria-hidden", "true");
    line.append(sign, el("span", "", problem));
    box.append(line);
  }
  if (summary && !sums.length) box.append(el("p", "check", summary));
  if (sums.length) {
    const told = summary || "The figures that are computed, with their sums";
    const fold = details(memory, "sums", "sums", el("span", "", told));
    const list = el("ul");
    list.append(...sums.map((sum) => el("li", "", sum)));
    fold.append(list);
    box.append(fold);
  }
  return box.childNodes.length ? box : null;
}

function coverage(data, memory, send) {
  if (!data.coverage.length) return null;
  const box = details(memory, "coverage", "fold", el("span", "", data.coverage_summary));
  const table = el("table", "coverage");
  const head = el("tr");
  for (const title of ["Document", "Passages used", "Cited", "Nearest", "Best score"]) {
    const cell = el("th", /used|Cited|score/.test(title) ? "figure" : "", title);
    cell.scope = "col";
    head.append(cell);
  }
  table.append(head);
  data.coverage.forEach((line, n) => {
    const row = el("tr", line.used ? "" : "none");
    const name = el("td");
    name.append(el("span", "", line.document));
    const near = el("td");
    if (line.page) {
      const open = button("link", `${line.told}: open ${line.document}`, () => send("cover", n));
      open.append(el("span", "", line.told));
      near.append(open);
    } else {
      near.textContent = line.told;
    }
    row.append(
      name,
      el("td", "figure", line.passages),
      el("td", "figure", String(line.cited)),
      near,
      el("td", "figure", line.score),
    );
    table.append(row);
  });
  box.append(table);
  if (data.searches.length) box.append(searches(data.searches));
  return box;
}

function searches(run) {
  const list = el("ul", "searches");
  list.setAttribute("aria-label", "Searched for");
  for (const { query, where } of run) {
    const line = el("li", "", `“${query}”`);
    line.dir = "auto";
    if (where) line.append(el("span", "where", ` in ${where}`));
    list.append(line);
  }
  return list;
}

function sources(data, memory, send) {
  if (!data.sources.length) return null;
  const box = details(memory, "sources", "fold", el("span", "", data.sources_summary));
  data.sources.forEach((source, n) => box.append(sourceOf(source, n, memory, send)));
  return box;
}

function sourceOf(source, n, memory, send) {
  const head = [
    el("span", "label", source.label),
    el("span", "name", source.document),
    el("span", "pages", source.pages),
    el("span", "cited", source.cited ? "cited" : ""),
  ];
  if (source.strength !== null) {
    const meter = el("span", "meter");
    meter.append(el("i"));
    meter.firstChild.style.width = `${Math.round(source.strength * 100)}%`;
    head.push(meter, el("span", "figure", source.strength.toFixed(2)));
  }
  const box = details(memory, `source ${source.label}`, "source", head);
  if (source.section) box.append(el("p", "section", source.section));
  const passage = el("div", "passage");
  for (const part of source.text.split("\n\n")) {
    const line = el("p", "", part);
    line.dir = "auto";
    passage.append(line);
  }
  const scores = el("dl");
  for (const [stage, value] of source.scores) {
    const pair = el("div");
    pair.append(el("dt", "", stage), el("dd", "figure", value));
    scores.append(pair);
  }
  const open = button("link", `Open the page: ${source.document}, ${source.pages}`, () => send("source", n));
  open.append(el("span", "", "Open the page"));
  box.append(passage, scores, open);
  return box;
}

function footer(data, send) {
  if (data.running) return null;
  const box = el("div", "footer");
  box.append(...data.footer.map((note) => el("span", "", note)));
  const doing = el("span", "doing");
  data.actions.forEach(([what, label]) => {
    const node = button("link", "", () => send(what, 0));
    node.textContent = label;
    doing.append(node);
  });
  if (data.save) doing.append(saving(data.save));
  if (data.copy) doing.append(copying(data.copy));
  if (doing.childNodes.length) box.append(doing);
  return box;
}

function copying(text) {
  const node = button("link", "Copy the answer with its citations", async () => {
    await navigator.clipboard.writeText(text);
    node.textContent = "Copied";
    setTimeout(() => (node.textContent = "Copy"), 1500);
  });
  node.textContent = "Copy";
  return node;
}

function saving(text) {
  const node = button("link", "Save the answer as a Markdown file", () => {
    const file = el("a");
    file.href = URL.createObjectURL(new Blob([text], { type: "text/markdown" }));
    file.download = "answer.md";
    file.click();
    setTimeout(() => URL.revokeObjectURL(file.href), 1000);
  });
  node.textContent = "Save";
  return node;
}
