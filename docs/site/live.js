// Under each figure of a lesson a button: the tank itself, at the same step, in the place of the picture.
// One at a time, since each is a whole program.
{
  const tank = new URL("live/index.html", document.currentScript.src);
  let running = null;

  const still = ({ button, figures, frame }) => {
    frame.remove();
    for (const figure of figures) figure.hidden = false;
    button.textContent = "Live";
    button.setAttribute("aria-pressed", "false");
    running = null;
  };

  const live = (button, figures, { lesson, step, only }) => {
    if (running) still(running);
    const picture = [...figures[0].querySelectorAll("img")].find((image) => image.offsetWidth > 0);
    const theme = document.body.dataset.mdColorScheme === "slate" ? "dark" : "light";
    const frame = document.createElement("iframe");
    frame.className = "live";
    frame.title = `KVarium at step ${step} of lesson ${lesson}`;
    frame.src = `${tank}#lesson=${lesson}&step=${step}&only=${only}&theme=${theme}`;
    if (picture) frame.style.aspectRatio = `${picture.naturalWidth} / ${picture.naturalHeight}`;
    figures[0].before(frame);
    for (const figure of figures) figure.hidden = true;
    button.textContent = "Still picture";
    button.setAttribute("aria-pressed", "true");
    running = { button, figures, frame };
  };

  document.addEventListener("DOMContentLoaded", () => {
    for (const step of document.querySelectorAll("[data-only]")) {
      const figures = [];
      for (let before = step.previousElementSibling; before && before.querySelector(".figure"); before = before.previousElementSibling)
        figures.unshift(before);
      const button = document.createElement("button");
      button.type = "button";
      button.className = "live";
      button.textContent = "Live";
      button.title = "Runs this step here. The program, 12 MB, is loaded once.";
      button.setAttribute("aria-pressed", "false");
      button.addEventListener("click", () => {
        if (running && running.button === button) still(running);
        else live(button, figures, step.dataset);
      });
      step.append(" ", button);
    }
  });
}
