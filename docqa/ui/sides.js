// A comparison: figures, terms and changes, passages side by side, what only one has.

const PAGE = 40; // rows that are drawn before "Show more"

export default function ({ data, parentElement, setTriggerValue }) {
  if (!isNew(parentElement, data)) return;
  const root = rootOf(parentElement, "sides");
  const send = (what, n, m) => {
    keepInView(root.getRootNode().activeElement ?? root, root);
    setTriggerValue("open", { what, n, m });
  };
  const order = data.changes_first ? [changes, figures, terms] : [figures, terms, changes];
  const parts = [summary, ...order, pairs, onlyIn].map((draw) => draw(data, send));
  root.replaceChildren(...parts.filter(Boolean));
}

// How much there is of each part; a click goes there.
function summary(data) {
  if (!data.counts.length) return null;
  const row = el("nav", "counts");
  row.ariaLabel = "Parts of this comparison";
  const show = (part) => row.getRootNode().querySelector(`section.part-${part}`)
    ?.scrollIntoView({ behavior: "smooth", block: "start" });
  row.append(...data.counts.map(({ to, text, note }) =>
    button("count", [el("b", "", text), el("span", "note", note)], () => show(to))));
  return row;
}

const placeLink = (where, name, open, text = where) => button("link", text, open, `Open ${name}, ${where}`);

const section = (name, title, note, ...inside) =>
  el("section", `part-${name}`, el("h3", "", title, note && el("span", "note", note)), inside);

const marked = (tag, cls, parts) =>
  written(tag, cls, parts.map(({ differs, text }) => (differs ? el("mark", differs, text) : text)));

const docHead = (doc, cls) => el("th", cls, el("span", "short", doc.short), nameOf(doc.name));

const framed = (head, body, cls) =>
  el("div", "frame", el("table", cls, el("thead", "", el("tr", "", head)), body));

// Rows drawn a page at a time into `list`, each by `make`; what shows more of them.
function paged(list, rows, make) {
  let at = 0;
  const next = () => {
    list.append(...rows.slice(at, at + PAGE).map(make));
    at = Math.min(rows.length, at + PAGE);
    more.hidden = at >= rows.length;
    more.textContent = `Show ${Math.min(PAGE, rows.length - at)} more of ${rows.length - at}`;
  };
  const more = button("more", "", next);
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
  const by = (head, value) => sorter(head, value, rows, draw);
  const named = (label, cls) => el("th", cls, el("span", "name-of", label));
  const difference = data.documents.length > 2 ? "Difference of the first two" : "Difference";
  const head = [
    by(named("Figure"), ({ row }) => row.label.toLowerCase()),
    periods && by(named("Period"), ({ row }) => row.period),
    data.documents.map((doc, m) => by(docHead(doc, "number"), ({ row }) => row.values[m]?.value)),
    by(named(difference, "number"), ({ row }) => row.apart),
  ];
  draw(rows);
  const apart = data.figures.some((row) => row.difference && row.period.includes(" / "));
  const note = apart && "Two periods in one row are equally long";
  return section("figures", "Figures", note, framed(head, body));
}

// Makes a column's heading sort by it: upwards, downwards, and as the rows came.
function sorter(head, value, rows, draw) {
  const orders = ["none", "ascending", "descending"];
  const sort = () => {
    const order = orders[(orders.indexOf(head.ariaSort) + 1) % 3];
    for (const other of head.parentElement.children) other.ariaSort = "none";
    head.ariaSort = order;
    const sign = order === "ascending" ? 1 : -1;
    const sorted = (one, other) => inOrder(value(one), value(other), sign);
    draw(order === "none" ? rows : [...rows].sort(sorted));
  };
  head.replaceChildren(button("sort", [...head.childNodes], sort));
  head.ariaSort = "none";
  return head;
}

function figure(row, n, data, send, periods) {
  const values = row.values.map((value, m) => {
    if (!value) return el("td", "number", el("span", "none", "not found"));
    const label = `${value.text}, ${data.documents[m].name}, ${value.where}. Open the page.`;
    const open = () => send("figure", n, m);
    return el("td", "number", button("link", value.text, open, label), el("sub", "", value.where));
  });
  return el(
    "tr",
    "",
    el("th", "", row.label),
    periods && el("td", "periods", row.period.split(" / ").map((period) => el("div", "", period))),
    values,
    el(
      "td",
      "number difference",
      row.difference,
      row.percent && el("span", "percent", row.percent),
      row.note && el("div", "note", row.note),
    ),
  );
}

// Terms

function terms(data, send) {
  if (!data.terms.length) return null;
  const several = data.documents.length;
  const head = [el("th", "", "Term"), data.documents.map((doc) => docHead(doc)), el("th", "", "Wording")];
  const body = el("tbody", "", data.terms.map((row, n) => term(row, n, data, send)));
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
    frame.querySelectorAll(which).forEach((node) => (node.role = role));
  }
}

function term(row, n, data, send) {
  const sides = row.sides.map((side, m) => {
    const place = side.where && placeLink(side.where, data.documents[m].name, () => send("term", n, m));
    if (side.parts.length) return el("td", "", marked("div", "quote", side.parts), place);
    const near = side.likely ? "likely " : "not found; nearest ";
    const none = el("span", "none", place ? near : "not found");
    return el("td", "", none, place, side.near && el("div", "quote none", side.near));
  });
  const cls = `verdict ${row.verdict.replaceAll(" ", "-")}`;
  return el("tr", "", el("th", "", row.topic), sides, el("td", cls, row.verdict));
}

// Changes between two versions

const KINDS = ["changed", "new", "gone", "moved and changed", "moved", "minor"];

function changes(data, send) {
  if (!data.changes.length && !data.unchanged) return null;
  const list = el("div", "changes");
  const weighty = data.changes.filter(({ kind }) => kind !== "minor" && kind !== "moved");
  const choices = [
    ["all that matter", [...weighty].sort((a, b) => b.figures - a.figures || a.n - b.n)],
    ["numbers changed", weighty.filter((each) => each.figures)],
    ...KINDS.map((kind) => [kind, data.changes.filter((each) => each.kind === kind)]),
  ].filter(([, some]) => some.length);
  const show = (some, chip) => {
    for (const other of chips) other.ariaPressed = String(other === chip);
    list.replaceChildren();
    list.append(paged(list, some, (each) => change(each, data, send)));
  };
  const chips = choices.map(([name, some]) =>
    button("chip", `${name} ${some.length}`, ({ currentTarget }) => show(some, currentTarget)));
  if (choices.length) show(choices[0][1], chips[0]);
  else list.append(el("p", "none", "Nothing has changed."));
  const same = data.unchanged === 1 ? "1 part is" : `${data.unchanged.toLocaleString("en-US")} parts are`;
  const group = Object.assign(el("div", "chips", chips), { role: "group" });
  return section("changes", "Changes", `Two versions of one text; ${same} unchanged`, group, list);
}

function change(each, data, send) {
  const places = each.where.map((place, m) => {
    if (!place) return null;
    const { short, name } = data.documents[m];
    const open = () => send("change", each.n, m);
    return el("span", "where", el("span", "short", short), placeLink(place, name, open));
  });
  const head = el(
    "div",
    "head",
    el("span", `kind ${each.kind.replaceAll(" ", "-")}`, each.kind),
    each.figures && el("span", "kind figures", "numbers"),
    each.number && el("span", "clause", each.number),
    places,
  );
  const tags = { gone: "del", new: "ins", same: "span" };
  const edits = each.edits.map((edit, n) => [n > 0 && " ", el(tags[edit.kind], "", edit.text)]);
  return el("article", "change", head, written("p", "text", edits));
}

// Passages

function pairs(data, send) {
  if (!data.pairs.length) return null;
  const list = el("div");
  const rows = data.pairs.map((pair, n) => ({ pair, n }));
  const more = paged(list, rows, ({ pair, n }) => {
    const sides = pair.passages.map((passage, m) => passage
      ? side(passage, () => send("pair", n, passage.m))
      : missing(data.documents[m]));
    const percent = percentOf(pair.similarity);
    const alike = el("div", "alike", meter(percent), el("span", "", `match ${percent}%`));
    return el("article", "pair", alike, el("div", "row", sides));
  });
  return section("pairs", "Side by side", "Words that differ are underlined, figures boxed", list, more);
}

const percentOf = (similarity) => Math.min(99, Math.round(similarity * 100));

function side({ short, name, pages, section, lines }, open) {
  const place = placeLink(pages, name, open, `${name}, ${pages}`);
  const head = el("div", "head", el("span", "short", short), place);
  return el("div", "side", head, section && el("div", "section", section), passageText(lines));
}

function missing(doc) {
  const head = [el("span", "short", doc.short), el("span", "none", "nothing similar found")];
  return el("div", "side", el("div", "head", head));
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
      box.append(el("table", "rows", body));
    }
    body.append(el("tr", "", cells.map((parts) => marked("td", "", parts))));
  }
  return box;
}

const isPaired = (passage) => Boolean(passage.nearest?.alike);

function onlyIn(data, send) {
  if (!data.only.some((each) => each.passages.length)) return null;
  const folds = data.only.map(({ short, name, passages }, n) => {
    if (!passages.length) return null;
    const paired = passages.filter(isPaired).length;
    const told = paired ? `, ${paired} like a passage shown side by side` : "";
    const note = `${passages.length} ${passages.length === 1 ? "passage" : "passages"}${told}`;
    const parts = { short, name, note };
    const head = Object.entries(parts).map(([cls, text]) => el("span", cls, text));
    const list = el("div");
    const rows = passages.map((passage, m) => ({ passage, m }))
      .sort((a, b) => isPaired(a.passage) - isPaired(b.passage));
    const more = paged(list, rows, ({ passage, m }) => lone(passage, n, m, send));
    return el("details", "only", el("summary", "", head), list, more);
  });
  return section("only", "Only in one", "The nearest passage elsewhere is named; check it", folds);
}

function lone(passage, n, m, send) {
  const box = side(passage, () => send("only", n, m));
  const near = passage.nearest;
  if (near) {
    const match = `match ${percentOf(near.similarity)}%`;
    const note = el("span", "note", near.alike ? `${match}, shown side by side` : match);
    const head = el("summary", "", `Nearest in ${near.name}, ${near.pages}: `, note);
    box.append(el("details", "nearest", head, side(near, () => send("near", n, m))));
  }
  return box;
}
