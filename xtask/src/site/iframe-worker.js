// Browsers start no worker for a page from disk: there a hidden frame is the worker, so that search needs no server.
if (location.protocol === "file:") {
  window.IFrameWorker = window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      const inside = this.frame.contentWindow;
      const load = (source) => new Promise((loaded, failed) => {
        const script = inside.document.createElement("script");
        Object.assign(script, { src: source, onload: loaded, onerror: failed });
        inside.document.body.append(script);
      });
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      inside.importScripts = (...sources) => sources.reduce((before, source) => before.then(() => load(source)), Promise.resolve());
      this.ready = load(new URL(address, location.href).href).then(() => inside);
    }

    postMessage(data) {
      this.ready.then((inside) => inside.dispatchEvent(new MessageEvent("message", { data })));
    }

    terminate() {
      this.frame.remove();
    }
  };
}
