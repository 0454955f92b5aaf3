"""Pictures of a page, to be looked at (`--shots PAGE FOLDER`), and how long its script takes (`--timing PAGE..`)."""

import pathlib
import statistics
import sys

from playwright.sync_api import sync_playwright

from support import launch

# Name, size of the window, fragment of the address.
PICTURES = [
    ("light", 1300, 2700, "theme=light"),
    ("dark", 1300, 2700, "theme=dark&view=aligned"),
    ("narrow", 420, 3600, "theme=light"),
    # The list and the pane, as the README shows them.
    ("reading", 1000, 640, "theme=light"),
]
TIMES = 7


def shots(page, file, folder):
    for name, width, height, fragment in PICTURES:
        page.set_viewport_size({"width": width, "height": height})
        page.goto("about:blank")
        page.goto(f"{pathlib.Path(file).resolve().as_uri()}#{fragment}")
        if name == "reading":
            page.evaluate("document.documentElement.style.scrollBehavior = 'auto'")
            page.evaluate("document.querySelector('.tools').scrollIntoView()")
        page.screenshot(path=pathlib.Path(folder) / f"{name}.png")


def timing(page, *files):
    page.set_viewport_size({"width": 1300, "height": 1000})
    for file in map(pathlib.Path, files):
        times = []
        for _ in range(TIMES):
            page.goto(file.resolve().as_uri())
            times.append(float(page.evaluate("document.documentElement.dataset.ready")))
        size = file.stat().st_size
        print(f"  {file}: {size} bytes, script {min(times):.0f} ms, median {statistics.median(times):.0f} ms")


with sync_playwright() as playwright:
    option, *arguments = sys.argv[1:]
    {"--shots": shots, "--timing": timing}[option](launch(playwright).new_page(), *arguments)
