// A comparison: figures, terms and changes, passages side by side, what only one has.
// All text goes through textContent.

const PAGE = 40; // rows that are drawn before "Show more"

const drawn = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  const said = JSON.stringify(data);
  if (drawn.get(parentElement) === said) return;
  drawn.set(parentElement, said);
  const send = (what, n, m) => setTriggerValue("open", { what, n, m });
  let root = parentElement.querySelector(".sides");
  if (!root) {
    root = el("div", "sides");
    parentElement.append(root);
  }
  const order = data.changes_first ? [changes, figures, terms] : [figures, terms, changes];
  const parts = [summary, ...order, pairs, onlyIn].map((draw) => draw(data, send));
  root.replaceChildren(...parts.filter(Boolean));
}

// How much there is of each part; a click goes there.
function summary(data) {
  if (!data.counts.length) return null;
  const row = el("nav", "counts");
  row.setAttribute("aria-label", "Parts of this comparison");
  for (const { to, text, note } of data.counts) {
    const node = el("button", "count");
    node.append(el("b", "", text), el("span", "note", note));
    node.onclick = () => row.getRootNode().querySelector(`section.part-${to}`)
      ?.scrollIntoView({ behavior: "smooth", block: "start" });
    row.append(node);
  }
  return row;
}

function link(text, label, onclick) {
  const node = el("button", "link", text);
  node.setAttribute("aria-label", label);
  node.onclick = onclick;
  return node;
}

function placeLink(where, doc, onclick) {
  return link(where, `Open ${doc.name}, ${where}`, onclick);
}

function section(name, title, note, ...inside) {
  const box = el("section", `part-${name}`);
  const line = el("h3", "", title);
  if (note) line.append(el("span", "note", note));
  box.append(line, ...inside.filter(Boolean));
  return box;
}

function marked(tag, cls, parts) {
  const text = el(tag, cls);
  text.dir = "auto";
  for (const part of parts) {
    text.append(part.differs ? el("mark", part.differs, part.text) : document.createTextNode(part.text));
  }
  return text;
}

function docHead(doc, cls) {
  const cell = el("th", cls);
  const name = el("span", "name");
  for (const part of doc.name.split(/(?<=[_-])/)) name.append(part, el("wbr")); // breaks there first
  cell.append(el("span", "short", doc.short), name);
  return cell;
}

function framed(head, body, cls) {
  const table = el("table", cls);
  const top = el("thead");
  top.append(head);
  table.append(top, body);
  const frame = el("div", "frame");
  frame.append(table);
  return frame;
}

// Rows drawn a page at a time; `make` draws the n-th of `rows` into `list`.
function paged(list, rows, make) {
  const more = el("button", "more");
  let at = 0;
  const next = () => {
    rows.slice(at, at + PAGE).forEach((row) => list.append(make(row)));
    at = Math.min(rows.length, at + PAGE);
    more.hidden = at >= rows.length;
    more.textContent = `Show ${Math.min(PAGE, rows.length - at)} more of ${rows.length - at}`;
  };
  more.onclick = next;
  next();
  return more;
}

// Figures

function figures(data, send) {
  if (!data.figures.length) return null;
  const body = el("tbody");
  const rows = data.figures.map((row, n) => ({ row, n }));
  const periods = data.figures.some((row) => row.period);
  const draw = (some) => body.replaceChildren(
    ...some.map(({ row, n }) => figure(row, n, data, send, periods)));
  const head = el("tr");
  const by = (label, cls, value, doc) => head.append(sorter(label, cls, value, doc, rows, draw));
  by("Figure", "", ({ row }) => row.label.toLowerCase());
  if (periods) by("Period", "", ({ row }) => row.period);
  data.documents.forEach((doc, m) => by("", "number", ({ row }) => row.values[m]?.value, doc));
  by(data.documents.length > 2 ? "Difference of the first two" : "Difference", "number",
    ({ row }) => row.apart ?? undefined);
  draw(rows);
  const apart = data.figures.some((row) => row.difference && row.period.includes(" / "));
  const note = apart ? "Where two periods stand, they are of one length" : "";
  return section("figures", "Figures", note, framed(head, body));
}

// A column's heading that sorts by it: upwards, downwards, and as the rows came.
function sorter(label, cls, value, doc, rows, draw) {
  const cell = doc ? docHead(doc, cls) : el("th", cls);
  if (!doc) cell.append(el("span", "name-of", label));
  const button = el("button", "sort");
  button.append(...cell.childNodes);
  cell.replaceChildren(button);
  const orders = ["none", "ascending", "descending"];
  cell.setAttribute("aria-sort", "none");
  button.onclick = () => {
    const order = orders[(orders.indexOf(cell.getAttribute("aria-sort")) + 1) % 3];
    for (const other of cell.parentElement.children) other.setAttribute("aria-sort", "none");
    cell.setAttribute("aria-sort", order);
    draw(order === "none" ? rows : [...rows].sort(comparing(value, order === "ascending" ? 1 : -1)));
  };
  return cell;
}

// What has no value stands last, whichever way is sorted.
function comparing(value, sign) {
  return (one, other) => {
    const [a, b] = [value(one), value(other)];
    if (a === undefined || b === undefined) return (a === undefined) - (b === undefined);
    return a < b ? -sign : a > b ? sign : one.n - other.n;
  };
}

function figure(row, n, data, send, periods) {
  const line = el("tr");
  line.append(el("th", "", row.label));
  if (periods) {
    const own = row.period.split(" / ").map((period) => el("div", "", period));
    const cell = el("td", "periods");
    cell.append(...own);
    line.append(cell);
  }
  row.values.forEach((value, m) => {
    const cell = el("td", "number");
    if (value) {
      const where = `${value.text}, ${data.documents[m].name}, ${value.where}. Open the page.`;
      cell.append(link(value.text, where, () => send("figure", n, m)), el("sub", "", value.where));
    } else {
      cell.append(el("span", "none", "not found"));
    }
    line.append(cell);
  });
  const last = el("td", "number difference", row.difference);
  if (row.percent) last.append(el("span", "percent", row.percent));
  if (row.note) last.append(el("div", "note", row.note));
  line.append(last);
  return line;
}

// Terms

function terms(data, send) {
  if (!data.terms.length) return null;
  const head = el("tr");
  head.append(el("th", "", "Term"), ...data.documents.map((doc) => docHead(doc, "")), el("th", "", "Wording"));
  const body = el("tbody");
  data.terms.forEach((row, n) => body.append(term(row, n, data, send)));
  const several = data.documents.length;
  const frame = framed(head, body, several > 2 ? "terms three" : "terms");
  frame.style.setProperty("--sides", several);
  sayRoles(frame);
  return section("terms", "Terms", "Word for word; what differs is marked", frame);
}

// What a table's parts are, also where the style sets them as blocks.
function sayRoles(frame) {
  const roles = {
    table: "table", "thead, tbody": "rowgroup", tr: "row", td: "cell",
    "thead th": "columnheader", "tbody th": "rowheader",
  };
  for (const [which, role] of Object.entries(roles)) {
    frame.querySelectorAll(which).forEach((node) => node.setAttribute("role", role));
  }
}

function term(row, n, data, send) {
  const line = el("tr");
  line.append(el("th", "", row.topic));
  row.sides.forEach((side, m) => {
    const cell = el("td");
    const open = () => send("term", n, m);
    if (side.parts.length) {
      const quote = marked("div", "quote", side.parts);
      cell.append(quote, placeLink(side.where, data.documents[m], open));
    } else {
      cell.append(el("span", "none", side.where ? "not found; nearest " : "not found"));
      if (side.where) cell.append(placeLink(side.where, data.documents[m], open));
      if (side.near) cell.append(el("div", "quote none", side.near));
    }
    line.append(cell);
  });
  const differs = row.note === "differs" ? "differs" : row.note === "same wording" ? "same wording" : "one side only";
  line.append(el("td", `verdict ${differs.replace(/ /g, "-")}`, differs));
  return line;
}

// Changes between two versions

const KINDS = [
  ["changed", "changed"],
  ["new", "new"],
  ["gone", "gone"],
  ["moved and changed", "moved and changed"],
  ["moved", "moved"],
  ["minor", "wording the same"],
];

function changes(data, send) {
  if (!data.changes.length && !data.unchanged) return null;
  const list = el("div", "changes");
  const chips = el("div", "chips");
  chips.setAttribute("role", "group");
  const weighty = (each) => each.kind !== "minor" && each.kind !== "moved";
  const figuresFirst = (some) => [...some].sort((a, b) => b.figures - a.figures || a.n - b.n);
  const choices = [
    ["all that matter", figuresFirst(data.changes.filter(weighty))],
    ["numbers changed", data.changes.filter((each) => each.figures && weighty(each))],
    ...KINDS.map(([kind, name]) => [name, data.changes.filter((each) => each.kind === kind)]),
  ].filter(([, some]) => some.length);
  const show = (some, chip) => {
    for (const other of chips.children) other.setAttribute("aria-pressed", other === chip);
    list.replaceChildren();
    list.append(paged(list, some, (each) => change(each, data, send)));
  };
  for (const [name, some] of choices) {
    const chip = el("button", "chip", `${name} ${some.length}`);
    chip.onclick = () => show(some, chip);
    chips.append(chip);
  }
  const note = `Two versions of one text; ${data.unchanged} of its parts are unchanged`;
  if (choices.length) show(choices[0][1], chips.firstChild);
  else list.append(el("p", "none", "Nothing has changed."));
  return section("changes", "Changes", note, chips, list);
}

function change(each, data, send) {
  const box = el("article", "change");
  const head = el("div", "head");
  head.append(el("span", `kind ${each.kind.replace(/ /g, "-")}`, each.kind));
  if (each.figures) head.append(el("span", "kind figures", "numbers"));
  if (each.number) head.append(el("span", "clause", each.number));
  each.where.forEach((place, m) => {
    if (!place) return;
    const doc = data.documents[m];
    const where = el("span", "where");
    where.append(el("span", "short", doc.short), placeLink(place, doc, () => send("change", each.n, m)));
    head.append(where);
  });
  const text = el("p", "text");
  text.dir = "auto";
  each.edits.forEach((edit, n) => {
    const tag = { gone: "del", new: "ins", same: "span" }[edit.kind];
    if (n) text.append(" ");
    text.append(el(tag, "", edit.text));
  });
  box.append(head, text);
  return box;
}

// Passages

function pairs(data, send) {
  if (!data.pairs.length) return null;
  const list = el("div");
  const rows = data.pairs.map((pair, n) => ({ pair, n }));
  const more = paged(list, rows, ({ pair, n }) => {
    const card = el("article", "pair");
    const row = el("div", "row");
    pair.passages.forEach((passage, m) => row.append(passage
      ? side(passage, () => send("pair", n, passage.m))
      : missing(data.documents[m])));
    card.append(meter(pair.similarity), row);
    return card;
  });
  return section("pairs", "Side by side", "Words that differ are underlined, figures boxed", list, more);
}

function meter(similarity) {
  const share = Math.min(99, Math.round(similarity * 100));
  const box = el("div", "alike");
  const bar = el("span", "meter");
  bar.append(el("i"));
  bar.firstChild.style.width = `${share}%`;
  box.append(bar, el("span", "", `match ${share}%`));
  return box;
}

function side(passage, open) {
  const box = el("div", "side");
  const head = el("div", "head");
  head.append(
    el("span", "short", passage.short),
    link(`${passage.name}, ${passage.pages}`, `Open ${passage.name}, ${passage.pages}`, open),
  );
  box.append(head);
  if (passage.section) box.append(el("div", "section", passage.section));
  box.append(passageText(passage.lines));
  return box;
}

function missing(doc) {
  const box = el("div", "side");
  const head = el("div", "head");
  head.append(el("span", "short", doc.short), el("span", "none", "nothing alike found"));
  box.append(head);
  return box;
}

// The lines of a passage; lines of several cells in a row are a table.
function passageText(lines) {
  const box = el("div", "text");
  let body = null;
  for (const cells of lines) {
    if (cells.length < 2) {
      body = null;
      box.append(marked("p", "", cells[0]));
      continue;
    }
    if (!body) {
      body = el("tbody");
      const table = el("table", "rows");
      table.append(body);
      box.append(table);
    }
    const line = el("tr");
    line.append(...cells.map((parts) => marked("td", "", parts)));
    body.append(line);
  }
  return box;
}

function onlyIn(data, send) {
  const some = data.only.filter((each) => each.passages.length);
  if (!some.length) return null;
  const folds = data.only.map((each, n) => {
    if (!each.passages.length) return null;
    const fold = el("details", "only");
    const head = el("summary");
    const noun = each.passages.length === 1 ? "passage" : "passages";
    const alike = each.passages.filter((passage) => passage.nearest?.alike).length;
    const told = alike ? `, ${alike} of them like one that is another's partner` : "";
    head.append(
      el("span", "short", each.short),
      el("span", "name", each.name),
      el("span", "note", `${each.passages.length} ${noun}${told}`),
    );
    const list = el("div");
    const rows = each.passages.map((passage, m) => ({ passage, m }))
      .sort((a, b) => Boolean(a.passage.nearest?.alike) - Boolean(b.passage.nearest?.alike));
    const more = paged(list, rows, ({ passage, m }) => lone(passage, n, m, send));
    fold.append(head, list, more);
    return fold;
  });
  return section("only", "Only in one", "The nearest passage of the others is named, to be checked", ...folds);
}

function lone(passage, n, m, send) {
  const box = side(passage, () => send("only", n, m));
  const near = passage.nearest;
  if (near) {
    const line = el("details", "nearest");
    const head = el("summary", "", `Nearest in ${near.name}, ${near.pages}: `);
    const match = `match ${Math.min(99, Math.round(near.similarity * 100))}%`;
    head.append(el("span", "note", near.alike ? `${match}, another's partner` : match));
    line.append(head, side(near, () => send("near", n, m)));
    box.append(line);
  }
  return box;
}
