// Under a figure stands a link to the same step in the tank. Clicked, the tank takes the figure's place; again, the
// figure comes back. Without script, or in a new tab, the link leads to the tank itself.
for (const link of document.querySelectorAll("a.live")) {
  const still = [];
  for (let part = link.closest("p").previousElementSibling; part; part = part.previousElementSibling) {
    if (part.querySelector(".figure")) still.push(part);
    else if (!part.matches(".step")) break;
  }
  const words = link.textContent;
  let frame = null;
  link.setAttribute("role", "button");
  link.setAttribute("aria-pressed", "false");
  const turn = () => {
    if (frame) {
      frame.remove();
      frame = null;
    } else {
      const dark = document.body.dataset.mdColorScheme === "slate";
      frame = document.createElement("iframe");
      frame.className = "tank";
      frame.title = words;
      frame.src = link.href + "&theme=" + (dark ? "dark" : "light");
      link.closest("p").before(frame);
    }
    for (const part of still) part.hidden = frame !== null;
    link.setAttribute("aria-pressed", String(frame !== null));
    link.textContent = frame ? "still" : words;
  };
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;  // a tab of its own
    event.preventDefault();
    turn();
  });
  link.addEventListener("keydown", (event) => {
    if (event.key !== " ") return;  // a button answers to Space as well
    event.preventDefault();
    turn();
  });
}
