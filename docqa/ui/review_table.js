// A review: a row for each document, a column for each question. All text goes through textContent.
// What is sorted and filtered by is kept here, for each review, until the page is loaded anew.

const SIGNS = { accepted: "✓", corrected: "✎", "not in the document": "–", likely: "?", failed: "!" };
const ROWS = 40; // drawn at first, and again each time the last is near: layout costs by rows drawn
const AGO = 500; // milliseconds of rest after which what is seen is told

const views = {}; // by review: what it is sorted by, and the words it is filtered by
const drawn = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  const said = JSON.stringify(data);
  if (drawn.get(parentElement) === said) return;
  drawn.set(parentElement, said);
  const view = (views[data.review] ??= { by: -1, down: false, words: "", state: "", rows: ROWS });
  let root = parentElement.querySelector(".review");
  if (!root) {
    root = el("div", "review");
    root.append(el("div", "tools"), el("div", "frame"));
    parentElement.append(root);
  }
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
  if (chosen !== frame.dataset.chosen) frame.querySelector(".chosen")?.scrollIntoView({ block: "nearest", inline: "nearest" });
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
    const words = el("input", "words");
    words.type = "search";
    words.placeholder = "Filter rows";
    words.setAttribute("aria-label", "Show only rows with these words");
    const state = el("select", "state");
    state.setAttribute("aria-label", "Show only rows with a cell of this kind");
    tools.append(words, state, el("span", "note"));
  }
  const [words, state, note] = tools.children;
  if (words.value !== view.words) words.value = view.words;
  words.oninput = () => { view.words = words.value; again(); };
  const states = [...new Set(data.rows.flatMap((row) => row.cells.map((cell) => cell.state)))].sort();
  const odd = data.rows.some((row) => row.cells.some((cell) => cell.remark)) ? ["pointed out"] : [];
  const wanted = ["", ...states, ...odd];
  const named = (each) => data.names[each] ?? each;
  if (state.dataset.of !== wanted.join()) {
    state.dataset.of = wanted.join();
    state.replaceChildren(...wanted.map((each) => {
      const option = el("option", "", each ? `With a cell ${named(each)}` : "All rows");
      option.value = each;
      return option;
    }));
  }
  state.value = wanted.includes(view.state) ? view.state : "";
  state.onchange = () => { view.state = state.value; again(); };
  const seen = rowsOf(data, view).length;
  note.textContent = seen < data.rows.length ? `${seen} of ${data.rows.length} documents` : data.told;
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
  const key = (row) => (view.by ? row.cells[view.by - 1]?.sort ?? null : row.name.toLowerCase());
  return rows.sort((one, other) => {
    const [a, b] = [key(one), key(other)];
    if (a === null || b === null) return (a === null) - (b === null); // what is empty stays below
    const order = typeof a === typeof b ? (a < b ? -1 : a > b ? 1 : 0) : typeof a === "number" ? -1 : 1;
    return view.down ? -order : order;
  });
}

// Rows that are as they were stay where they are: a table of hundreds is drawn anew every second.
function drawTable(frame, data, view, again, setTriggerValue) {
  const focused = frame.getRootNode().activeElement?.dataset?.at;
  if (!frame.firstChild) {
    frame.append(el("table"));
    frame.firstChild.append(el("thead"), el("tbody"), el("tfoot"));
    frame.lines = new Map();
  }
  const table = frame.firstChild;
  const head = el("tr");
  head.append(header("Document", "", 0, view, again, "frozen"));
  data.columns.forEach((column, n) => {
    const cls = `${column.frozen ? "frozen" : ""}${column.wide ? " wide" : ""}`;
    head.append(header(column.title, column.question, n + 1, view, again, cls));
  });
  table.tHead.replaceChildren(head);
  const wide = data.columns.filter((column) => column.wide).length;
  table.style.width = `${11 + 15 * wide + 8.5 * (data.columns.length - wide)}rem`;
  drawRows(frame.lines, table.tBodies[0], data, view, setTriggerValue);
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
  const cell = el("th", cls);
  cell.scope = "col";
  if (view.by === n) cell.ariaSort = view.down ? "descending" : "ascending";
  const sort = el("button", "sort", title);
  sort.dataset.at = `sort-${n}`;
  if (question) sort.title = question;
  sort.onclick = () => {
    if (view.by !== n) [view.by, view.down] = [n, false];
    else if (!view.down) view.down = true;
    else [view.by, view.down] = [-1, false];
    again();
  };
  cell.append(sort);
  return cell;
}

function drawRow(row, data, setTriggerValue) {
  const line = el("tr");
  line.dataset.row = row.id;
  const name = el("th", "frozen");
  name.scope = "row";
  const words = el("span", "name");
  for (const part of row.name.split(/(?<=[_-])/)) words.append(part, el("wbr")); // breaks there first
  words.title = row.name;
  name.append(words);
  if (row.wait) name.append(el("span", "note", row.wait));
  line.append(name);
  row.cells.forEach((cell, n) => {
    const column = data.columns[n];
    const box = el("td", `is-${cell.state.replaceAll(" ", "-")}${column.frozen ? " frozen" : ""}`);
    if (cell.remark) box.classList.add("odd");
    const chosen = data.chosen[0] === row.id && data.chosen[1] === column.id;
    if (chosen) box.classList.add("chosen");
    const open = el("button", `cell${typeof cell.sort === "number" ? " number" : ""}`);
    open.dataset.at = `${row.id}-${column.id}`;
    open.ariaPressed = String(chosen);
    const told = [data.words[cell.state], cell.remark].filter(Boolean).join("; ");
    open.title = told;
    open.append(el("span", "unseen", `${row.name}, ${column.title}: `));
    open.onclick = () => {
      const root = line.closest(".review");
      root.querySelector("td.chosen")?.classList.remove("chosen"); // at once: the server may be busy
      box.classList.add("chosen");
      setTriggerValue("open", { row: row.id, column: column.id });
    };
    if (SIGNS[cell.state]) open.append(el("span", "sign", SIGNS[cell.state]));
    open.append(el("span", "value", cell.value || (data.filling && !row.wait ? "…" : "")));
    if (cell.state === "likely") {
      const doubt = el("span", "doubt", data.names[cell.state]);
      doubt.ariaHidden = "true"; // it is told below
      open.append(doubt);
    }
    if (cell.place) open.append(el("span", "place", cell.place));
    open.append(el("span", "unseen", `; ${told}`));
    box.append(open);
    line.append(box);
  });
  return line;
}

// Below figure columns: their sums, by code.
function sums(data) {
  const line = el("tr");
  const head = el("th", "frozen", "Figures");
  head.scope = "row";
  line.append(head);
  for (const column of data.columns) {
    const cell = el("td", column.frozen ? "frozen" : "");
    const list = el("dl");
    for (const [name, value] of column.figures) list.append(el("dt", "", name), el("dd", "", value));
    if (column.figures.length) cell.append(list);
    line.append(cell);
  }
  return line;
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
