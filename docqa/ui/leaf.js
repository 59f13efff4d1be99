// A slide, sheet or section as text and tables, the cited blocks marked in it. Everything a document
// says is put in as text nodes; nothing of it is read as HTML.

export default function ({ data, parentElement }) {
  const frame = rootOf(parentElement, "leaf", build);
  const { arrived, turned } = arrival(parentElement, data);
  const top = frame.scrollTop;
  frame.ariaLabel = `${data.label}; left and right arrows turn it`;
  frame.replaceChildren(el("p", "title", data.title), ...data.parts.map((part) => draw(part, arrived)));
  if (!data.parts.length) frame.append(el("p", "none", "Nothing is written here."));
  frame.dataset.page = data.page;
  findWords(frame, data.find);
  const mark = [".current", ".opened", ".mark"].map((each) => frame.querySelector(each)).find(Boolean);
  if (!turned) frame.scrollTop = top;
  else if (mark) centre(frame, mark);
  else frame.scrollTo(0, 0);

  frame.onkeydown = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step || isModified(event) || frame.scrollWidth > frame.clientWidth) return;
    event.preventDefault();
    turnPage(step);
  };
}

function draw(part, arrived) {
  if (part.kind === "table") return table(part, arrived);
  const tag = part.kind === "heading" ? `h${Math.min(6, Math.max(3, part.level + 2))}` : "p";
  const node = el(tag, part.kind);
  part.spans.forEach((span, n) => {
    if (n) node.append(" ");
    node.append(marked(el("span", "", span.text), span, arrived));
  });
  return node;
}

function marked(node, { kinds, number }, arrived) {
  if (!kinds) return node;
  node.classList.add("mark", ...kinds.split(" "));
  if (arrived && (kinds.includes("opened") || kinds.includes("current"))) node.classList.add("flash");
  if (number) {
    const sign = el("span", "number", number);
    (node.tagName === "TR" ? node.firstChild : node).prepend(sign);
  }
  return node;
}

function table({ rows, asked }, arrived) {
  const node = el("table");
  const columns = rows.flatMap((row) => row.cells.map(([, column, span]) => column + span));
  const width = Math.min(Math.max(...columns), 1000);
  const numbered = rows.some((row) => row.row);
  for (const row of rows) {
    const line = el("tr");
    const number = numbered ? String(row.row || "") : "";
    line.append(el(number ? "th" : "td", "row", number));
    if (number) line.firstChild.scope = "row";
    let at = 0;
    for (const [text, column, span] of row.cells) {
      const from = Math.min(column, width);
      for (; at < from; at += 1) line.append(el("td"));
      if (at > column) continue;
      const cls = figure.test(text) ? "figure" : text.length < SHORT ? "short" : "";
      const cell = el(row.header && text ? "th" : "td", cls, text);
      if (asked.includes(column)) cell.classList.add("asked");
      if (cell.tagName === "TH") cell.scope = "col";
      cell.colSpan = Math.max(1, Math.min(span, width - at));
      at += cell.colSpan;
      line.append(cell);
    }
    for (; at < width; at += 1) line.append(el("td"));
    node.append(marked(line, row, arrived));
  }
  return el("div", "table", node);
}

// The words that are looked for, in the blocks that have them.
function findWords(frame, { phrase, at }) {
  const [all, current] = [new Highlight(), new Highlight()];
  for (const block of frame.querySelectorAll(".found, .current")) {
    const ranges = [...textsOf(block)].flatMap((text) => rangesOf(text, phrase.toLowerCase()));
    ranges.forEach((range) => all.add(range));
    if (block.matches(".current") && ranges[at]) current.add(ranges[at]);
  }
  CSS.highlights.set("docqa-found", all);
  CSS.highlights.set("docqa-current", current);
}

function* textsOf(block) {
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) yield walker.currentNode;
}

function rangesOf(text, phrase) {
  const [ranges, said] = [[], text.data.toLowerCase()];
  for (let at = said.indexOf(phrase); at >= 0; at = said.indexOf(phrase, at + phrase.length)) {
    ranges.push(new StaticRange({ startContainer: text, startOffset: at, endContainer: text, endOffset: at + phrase.length }));
  }
  return ranges;
}

const SHORT = 13; // characters of a cell, as of a day, that stand on one line
const figure = /^[-+($€£¥\s]*[\d.,]+[)%x\s]*$/;

function build() {
  return Object.assign(el("div", "leaf"), { tabIndex: 0, role: "region" });
}

// The mark a third down; where its table is wider than the frame, at the last column asked about.
function centre(frame, mark) {
  const [outer, inner] = [frame, mark].map((node) => node.getBoundingClientRect());
  const cell = [...mark.querySelectorAll(".asked")].at(-1)?.getBoundingClientRect();
  const top = Math.max(0, frame.scrollTop + inner.top - outer.top - frame.clientHeight / 3);
  const left = cell ? Math.max(0, frame.scrollLeft + cell.right - outer.left - frame.clientWidth + 12) : 0;
  frame.scrollTo({ top, left });
}
