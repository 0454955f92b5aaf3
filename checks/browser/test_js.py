"""The npm package in a page of Chromium: golden rows, families on demand, workers; `cargo xtask js --full` builds it."""

import os
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from test_web import golden_rows

pytestmark = pytest.mark.skipif("BLEUPRINT_JS" not in os.environ, reason="`cargo xtask js` makes the package")

SCORES = """async rows => {
  const {load, metric} = await import('/web.js');
  await load();
  return rows.map(({spec, hypotheses, references}) => metric(spec).score(hypotheses, references).score);
}"""

FAMILIES = """async () => {
  const {load, metric} = await import('/web.js');
  await load();
  let words = '';
  try { metric('der'); } catch (error) { words = error.message; }
  const before = metric('wer').accumulator().update(['a'], ['b']);
  await load('families');
  const after = metric('wer').accumulator().update(['a'], ['a']).merge(before);
  return [words, metric('pass:k=1').score([{n: 4, c: 1}]).score, after.value()];
}"""

WORKER = """() => new Promise((resolve, reject) => {
  const code = `import {load, metric} from '${location.origin}/web.js';
    await load();
    postMessage(metric('bleu').score(['a b c d'], ['a b c d']).score);`;
  const worker = new Worker(URL.createObjectURL(new Blob([code], {type: 'text/javascript'})), {type: 'module'});
  worker.onmessage = ({data}) => resolve(data);
  worker.onerror = ({message}) => reject(new Error(message));
})"""


class QuietHandler(SimpleHTTPRequestHandler):
    """Serves the package and an empty page, without a line for each file."""

    def log_message(self, *_):
        pass

    def do_GET(self):
        if self.path != "/":
            return super().do_GET()
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><link rel=icon href=data:,><title>bleuprint</title>")


@pytest.fixture
def page(report):
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHandler, directory=os.environ["BLEUPRINT_JS"]))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    report.open(f"http://127.0.0.1:{server.server_port}/")
    yield report.page
    assert report.console == [] and report.dialogs == []
    server.shutdown()


def test_golden_scores(page):
    rows = list(golden_rows())
    given = [{"spec": row["spec"], "hypotheses": row["hypotheses"], "references": row["references"]} for row, _ in rows]
    for score, (row, known) in zip(page.evaluate(SCORES, given), rows, strict=True):
        assert score == pytest.approx(known, rel=row.get("tolerance", 0), abs=row.get("tolerance", 0)), row["name"]
    assert len(rows) > 1600


def test_families_are_loaded_on_demand(page):
    words, share, merged = page.evaluate(FAMILIES)
    assert 'await load("families")' in words and share == 0.25 and merged == 0.5


def test_a_worker_scores(page):
    assert page.evaluate(WORKER) == pytest.approx(100)
