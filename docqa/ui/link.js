// A button that copies the address of what the reader shows.

const SHOWN = 1500; // milliseconds for which it says that it did

export default function ({ data, parentElement }) {
  const button = parentElement.querySelector("button") ?? build(parentElement);
  button.dataset.link = data.link;
}

function build(parent) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy link";
  button.style.cssText =
    "font: inherit; font-size: .875rem; color: inherit; background: none; border: 0; " +
    "padding: .25rem .5rem; cursor: pointer; white-space: nowrap;";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.dataset.link);
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy link"), SHOWN);
  });
  parent.append(button);
  return button;
}
