"""The browser and the program, for all checks; `cargo xtask report` says where they are."""

import os

import pytest
from playwright.sync_api import sync_playwright

from support import Report, launch


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        yield launch(playwright)


@pytest.fixture
def report(browser, tmp_path):
    page = browser.new_page(viewport={"width": 1200, "height": 1000})
    page.set_default_timeout(120_000)
    yield Report(page, os.environ["BLEUPRINT"], tmp_path)
    page.close()
