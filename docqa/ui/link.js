// A button that copies the address of what the reader shows.

export default function ({ data, parentElement }) {
  const node = rootOf(parentElement, "link", () => {
    const icon = Object.assign(el("span", "icon", "link"), { ariaHidden: "true" });
    return Object.assign(button("link", icon), { title: "Copy link" });
  });
  node.onclick = () => copyBy(node, data.link);
}
