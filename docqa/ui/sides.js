// A comparison: figures with their differences, passages side by side, what only one has.
// All text goes through textContent.

const el = (tag, cls, text) => {
  const node = document.createElement(tag);
  if (cls) node.className = cls;
  if (text !== undefined) node.textContent = text;
  return node;
};

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
  const parts = [figures(data, send), pairs(data, send), onlyIn(data, send)];
  root.replaceChildren(...parts.filter(Boolean));
}

function link(text, label, onclick) {
  const node = el("button", "link", text);
  node.type = "button";
  node.setAttribute("aria-label", label);
  node.onclick = onclick;
  return node;
}

function heading(text, note) {
  const line = el("h3", "", text);
  if (note) line.append(el("span", "note", note));
  return line;
}

function figures(data, send) {
  if (!data.figures.length) return null;
  const table = el("table");
  const head = el("tr");
  head.append(el("th", "", "Figure"), el("th", "", "Period"));
  for (const doc of data.documents) {
    const cell = el("th", "number");
    cell.append(el("span", "short", doc.short), el("span", "name", doc.name));
    head.append(cell);
  }
  head.append(el("th", "number", "Difference"));
  const top = el("thead");
  top.append(head);
  const body = el("tbody");
  data.figures.forEach((row, n) => body.append(figure(row, n, data, send)));
  table.append(top, body);
  const frame = el("div", "frame");
  frame.append(table);
  const box = el("section");
  box.append(heading("Figures"), frame);
  return box;
}

function figure(row, n, data, send) {
  const line = el("tr");
  line.append(el("th", "", row.label), el("td", "", row.period));
  row.values.forEach((value, m) => {
    const cell = el("td", "number");
    if (value) {
      const where = `${value.text}, ${data.documents[m].name}, page ${value.page}. Open the page.`;
      cell.append(link(value.text, where, () => send("figure", n, m)), el("sub", "", `p.${value.page}`));
    } else {
      cell.append(el("span", "none", "not stated"));
    }
    line.append(cell);
  });
  const last = el("td", "number difference", row.difference);
  if (row.note) last.append(el("div", "note", row.note));
  line.append(last);
  return line;
}

function pairs(data, send) {
  if (!data.pairs.length) return null;
  const box = el("section");
  box.append(heading("Side by side", "Words that differ are underlined, figures boxed"));
  data.pairs.forEach((pair, n) => {
    const card = el("article", "pair");
    const meter = el("div", "alike");
    const bar = el("span", "meter");
    bar.append(el("i"));
    bar.firstChild.style.width = `${Math.round(pair.similarity * 100)}%`;
    meter.append(bar, el("span", "", `${Math.round(pair.similarity * 100)}% alike`));
    const row = el("div", "row");
    pair.passages.forEach((passage, m) =>
      row.append(side(passage, () => send("pair", n, m))),
    );
    card.append(meter, row);
    box.append(card);
  });
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
  const text = el("p", "text");
  text.dir = "auto";
  for (const part of passage.parts) {
    text.append(part.differs ? el("mark", part.differs, part.text) : document.createTextNode(part.text));
  }
  box.append(text);
  return box;
}

function onlyIn(data, send) {
  const some = data.only.filter((each) => each.passages.length);
  if (!some.length) return null;
  const box = el("section");
  box.append(heading("Only in one", "Nothing alike was found in the others"));
  data.only.forEach((each, n) => {
    if (!each.passages.length) return;
    const fold = el("details", "only");
    const head = el("summary");
    const noun = each.passages.length === 1 ? "passage" : "passages";
    head.append(
      el("span", "short", each.short),
      el("span", "name", each.name),
      el("span", "note", `${each.passages.length} ${noun}`),
    );
    fold.append(head);
    each.passages.forEach((passage, m) => fold.append(side(passage, () => send("only", n, m))));
    box.append(fold);
  });
  return box;
}
