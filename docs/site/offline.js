// Search from a disk. A browser lets a page that was opened as a file neither fetch the index nor start
// a worker: the index comes as a script instead, and the worker's script runs in a hidden frame.
if (location.protocol === "file:") {
  const here = document.currentScript.src;
  window.__search = {
    index: new Promise((resolve) => {
      window.take_search_index = resolve;
      const script = document.createElement("script");
      script.src = new URL("search/search_index.js", here);
      document.head.append(script);
    }),
  };
  window.Worker = class extends EventTarget {
    constructor(script) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.ready = new Promise((resolve) => this.frame.addEventListener("load", resolve));
      this.frame.srcdoc = `<script>window.postMessage = (data) => parent.take_from_search(data);</script>
        <script src="${script}"></script>`;
      window.take_from_search = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      document.documentElement.append(this.frame);
    }
    postMessage(data) {
      this.ready.then(() =>
        this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data })));
    }
  };
}
