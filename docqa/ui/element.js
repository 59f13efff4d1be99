// What every script begins with: text is put in as text, and is never read as HTML.

const el = (tag, cls, text) => {
  const node = document.createElement(tag);
  if (tag === "button") node.type = "button";
  if (cls) node.className = cls;
  if (text !== undefined) node.textContent = text;
  return node;
};

