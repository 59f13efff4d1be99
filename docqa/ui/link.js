// A button that copies the address of what the reader shows.

const SHOWN = 1500; // milliseconds for which it says that it did
const CHAIN =
  '<svg width="18" height="18" viewBox="0 -960 960 960" fill="currentColor" aria-hidden="true">' +
  '<path d="M440-280H280q-83 0-141.500-58.500T80-480q0-83 58.500-141.500T280-680h160v80H280q-50 0-85 35t-35 85' +
  'q0 50 35 85t85 35h160v80ZM320-440v-80h320v80H320Zm200 160v-80h160q50 0 85-35t35-85q0-50-35-85t-85-35H520' +
  'v-80h160q83 0 141.500 58.500T880-480q0 83-58.500 141.500T680-280H520Z"/></svg>';

export default function ({ data, parentElement }) {
  const button = parentElement.querySelector("button") ?? build(parentElement);
  button.dataset.link = data.link;
}

function build(parent) {
  const button = document.createElement("button");
  button.type = "button";
  button.title = "Copy link";
  button.innerHTML = CHAIN;
  button.style.cssText =
    "font: inherit; font-size: .875rem; color: inherit; background: none; border: 0; " +
    "padding: .25rem .5rem; cursor: pointer; white-space: nowrap; display: flex;";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.dataset.link);
    button.textContent = "Copied";
    setTimeout(() => (button.innerHTML = CHAIN), SHOWN);
  });
  parent.append(button);
  return button;
}
