// A review: a row for each document, a column for each question.
// What is sorted and filtered by is kept here, for each review, until the page is loaded anew.

const SIGNS = { accepted: "✓", corrected: "✎", "not in the document": "–", likely: "?", failed: "!" };
const ROWS = 40; // drawn at first, and again each time the last is near: layout costs by rows drawn
const AGO = 500; // milliseconds of rest after which what is seen is told

const views = {}; // by review: what it is sorted by, and the words it is filtered by

export default function ({ data, parentElement, setTriggerValue }) {
  if (!isNew(parentElement, data)) return;
  const view = (views[data.review] ??= { by: -1, down: false, words: "", state: "", rows: ROWS });
  const root = rootOf(parentElement, "review", () =>
    el("div", "review", el("div", "tools"), el("div", "frame")));
  const [tools, frame] = root.children;
  root.classList.toggle("with-cell", Boolean(data.chosen[0]));
  const draw = () => {
    drawTools(tools, data, view, again);
    drawTable(frame, data, view, again, setTriggerValue);
  };
  const again = () => { // from the top, as what is sorted or filtered is another table
    view.rows = ROWS;
    frame.scrollTop = 0;
    draw();
  };
  draw();
  const chosen = data.chosen.join();
  if (chosen !== frame.dataset.chosen) {
    frame.querySelector(".chosen")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
  frame.dataset.chosen = chosen;
  frame.onscroll = () => {
    const below = frame.scrollHeight - frame.scrollTop - frame.clientHeight;
    if (below < frame.clientHeight && view.rows < data.rows.length) {
      view.rows += ROWS;
      draw();
    }
    clearTimeout(frame.rest);
    if (data.filling) frame.rest = setTimeout(() => setTriggerValue("seen", rowsInSight(frame)), AGO);
  };
}

function drawTools(tools, data, view, again) {
  if (!tools.children.length) {
    const words = Object.assign(el("input", "words"), { type: "search", placeholder: "Filter rows" });
    const state = el("select", "state");
    words.ariaLabel = "Filter rows by words";
    state.ariaLabel = "Filter rows by their cells";
    tools.append(words, state, el("span", "note"));
  }
  const [words, state, note] = tools.children;
  if (words.value !== view.words) words.value = view.words;
  words.oninput = () => { view.words = words.value; again(); };
  const cells = data.rows.flatMap((row) => row.cells);
  const states = [...new Set(cells.map((cell) => cell.state))].sort();
  const wanted = ["", ...states, ...(cells.some((cell) => cell.remark) ? ["pointed out"] : [])];
  if (state.dataset.of !== wanted.join()) {
    state.dataset.of = wanted.join();
    const told = (each) => (each ? `With “${data.names[each] ?? each}”` : "All rows");
    state.replaceChildren(...wanted.map((each) => new Option(told(each), each)));
  }
  state.value = wanted.includes(view.state) ? view.state : "";
  state.onchange = () => { view.state = state.value; again(); };
  const seen = rowsOf(data, view).length;
  const all = data.rows.length;
  note.textContent = seen < all ? `${seen} of ${all} ${all === 1 ? "document" : "documents"}` : data.told;
}

function rowsOf(data, view) {
  const words = view.words.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (row) => {
    const text = [row.name, ...row.cells.map((cell) => cell.value)].join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const is = (cell) => (view.state === "pointed out" ? cell.remark : cell.state === view.state);
  const rows = data.rows.filter((row) => has(row) && (!view.state || row.cells.some(is)));
  if (view.by < 0) return rows;
  const key = (row) => (view.by ? row.cells[view.by - 1]?.sort : row.name.toLowerCase());
  return rows.sort((one, other) => inOrder(key(one), key(other), view.down ? -1 : 1));
}

// Rows that are as they were stay where they are: a table of hundreds is drawn anew every second.
function drawTable(frame, data, view, again, setTriggerValue) {
  const focused = frame.getRootNode().activeElement?.dataset?.at;
  if (!frame.firstChild) frame.append(el("table", "", el("thead"), el("tbody"), el("tfoot")));
  const table = frame.firstChild;
  const heads = data.columns.map((column, n) => {
    const cls = `${column.frozen ? "frozen" : ""}${column.wide ? " wide" : ""}`;
    return header(column.title, column.question, n + 1, view, again, cls);
  });
  table.tHead.replaceChildren(el("tr", "", header("Document", "", 0, view, again, "frozen"), heads));
  const wide = data.columns.filter((column) => column.wide).length;
  table.style.width = `${11 + 15 * wide + 8.5 * (data.columns.length - wide)}rem`;
  drawRows((frame.lines ??= new Map()), table.tBodies[0], data, view, setTriggerValue);
  table.tFoot.replaceChildren(...(data.columns.some((column) => column.figures.length) ? [sums(data)] : []));
  if (data.columns.some((column) => column.frozen)) freeze(table, data);
  if (focused) frame.querySelector(`[data-at="${CSS.escape(focused)}"]`)?.focus();
}

function drawRows(lines, body, data, view, setTriggerValue) {
  const columns = JSON.stringify([data.filling, data.columns.map(({ figures, ...column }) => column)]);
  const rows = rowsOf(data, view);
  const last = Math.max(view.rows, 1 + rows.findIndex((row) => row.id === data.chosen[0]));
  const wanted = rows.slice(0, last).map((row) => {
    const said = columns + JSON.stringify(row) + (data.chosen[0] === row.id ? data.chosen[1] : "");
    let kept = lines.get(row.id);
    if (kept?.said !== said) {
      const line = drawRow(row, data, setTriggerValue);
      kept?.line.replaceWith(line);
      kept = { said, line };
      lines.set(row.id, kept);
    }
    return kept.line;
  });
  const stays = wanted.length === body.rows.length && wanted.every((line, n) => line === body.rows[n]);
  if (!stays) body.replaceChildren(...wanted);
}

function header(title, question, n, view, again, cls) {
  const sort = button("sort", title, () => {
    if (view.by !== n) [view.by, view.down] = [n, false];
    else if (!view.down) view.down = true;
    else [view.by, view.down] = [-1, false];
    again();
  });
  sort.dataset.at = `sort-${n}`;
  if (question) sort.title = question;
  const cell = Object.assign(el("th", cls, sort), { scope: "col" });
  if (view.by === n) cell.ariaSort = view.down ? "descending" : "ascending";
  return cell;
}

const rowHead = (...inside) => Object.assign(el("th", "frozen", inside), { scope: "row" });

function drawRow(row, data, setTriggerValue) {
  const name = Object.assign(nameOf(row.name), { title: row.name });
  const cells = row.cells.map((cell, n) => drawCell(cell, row, data.columns[n], data, setTriggerValue));
  const line = el("tr", "", rowHead(name, row.wait && el("span", "note", row.wait)), cells);
  line.dataset.row = row.id;
  return line;
}

function drawCell(cell, row, column, data, setTriggerValue) {
  const chosen = data.chosen[0] === row.id && data.chosen[1] === column.id;
  const told = [data.words[cell.state], cell.remark].filter(Boolean).join("; ");
  const doubt = cell.state === "likely" && el("span", "doubt", data.names[cell.state]);
  if (doubt) doubt.ariaHidden = "true"; // it is told below
  const inside = [
    el("span", "unseen", `${row.name}, ${column.title}: `),
    SIGNS[cell.state] && el("span", "sign", SIGNS[cell.state]),
    el("span", "value", cell.value || (data.filling && !row.wait && "…")),
    doubt,
    cell.place && el("span", "place", cell.place),
    el("span", "unseen", `; ${told}`),
  ];
  const open = button(`cell${typeof cell.sort === "number" ? " number" : ""}`, inside, () => {
    box.closest(".review").querySelector("td.chosen")?.classList.remove("chosen");
    box.classList.add("chosen"); // at once: the server may be busy
    setTriggerValue("open", { row: row.id, column: column.id });
  });
  Object.assign(open, { title: told, ariaPressed: String(chosen) });
  open.dataset.at = `${row.id}-${column.id}`;
  const box = el("td", `is-${cell.state.replaceAll(" ", "-")}`, open);
  if (column.frozen) box.classList.add("frozen");
  if (cell.remark) box.classList.add("odd");
  if (chosen) box.classList.add("chosen");
  return box;
}

// Below figure columns: their sums, by code.
function sums(data) {
  const cells = data.columns.map(({ frozen, figures }) => {
    const list = figures.map(([name, value]) => [el("dt", "", name), el("dd", "", value)]);
    return el("td", frozen && "frozen", figures.length > 0 && el("dl", "", list));
  });
  return el("tr", "", rowHead("Figures"), cells);
}

// Frozen columns stand one beside the other at the left.
function freeze(table, data) {
  const frozen = 1 + data.columns.filter((column) => column.frozen).length;
  const widths = [...table.rows[0].cells].map((cell) => cell.getBoundingClientRect().width);
  for (const row of table.rows) {
    let left = 0;
    for (let n = 0; n < frozen; n++) {
      row.cells[n].style.left = `${left}px`;
      left += widths[n];
    }
  }
}

function rowsInSight(frame) {
  const { top, bottom } = frame.getBoundingClientRect();
  return [...frame.querySelectorAll("tbody tr")]
    .filter((row) => {
      const box = row.getBoundingClientRect();
      return box.bottom > top && box.top < bottom;
    })
    .map((row) => row.dataset.row);
}
