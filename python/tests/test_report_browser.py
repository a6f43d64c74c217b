# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The report in a real browser: headless Chromium, told what to do by its driver."""

import base64
import shutil

import numpy as np
import pytest

pytest.importorskip("jinja2", reason='reports need pip install "genten[report]"')
webdriver = pytest.importorskip("selenium.webdriver", reason="no selenium: the browser is not run")
from stand_ins import HERE, Result, random_model, titanic

import genten
from genten import TuckerModel
from genten.reports import read_recorded, render_ranks
from genten.reports.ranks import RecordedRanks

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(
    not (BROWSER and DRIVER), reason="no chromium with chromedriver (Debian: chromium-driver)"
)
PAGES = ["titanic", "large", "held-out", "tucker", "ranks", "certain-4"]
BARS = [f"{kind}-{order}" for kind in ("certain", "plain") for order in (3, 4, 5)]
SIZES = {
    "phone": (360, 740), "narrow": (400, 860), "tablet": (768, 1024), "small": (900, 700),
    "desktop": (1280, 900),
}  # fmt: skip


def held_out():
    """A run with as many columns and charts as there are."""
    count, model = 90, random_model([40, 30, 5], 2)
    iteration = np.arange(1, count + 1)
    history = {
        "iteration": iteration, "fit": 0.9 - 0.8 / iteration, "fit_change": 0.8 / iteration**2,
        "seconds": iteration / 7, "objective": 1234.56789 + 98765.4321 / iteration**2,
        "kkt_violation": 1 / iteration**2, "holdout_rmse": 1 / iteration + iteration / 400,
        "holdout_mae": 0.8 / iteration + iteration / 500,
    }  # fmt: skip
    run = Result(model, history=history, iterations=count, stop_reason="no_improvement")
    run.options = {"missing": "unlisted", "holdout": 0.1, "patience": 70, "nonnegative": "all"}
    run.starts = [{"seed": s, "fit": 0.8 + s / 99, "holdout_rmse": 0.1, "iterations": count}
                  for s in (1, 2)]  # fmt: skip
    run.completion = {"entries": 1000.0, "returned_iteration": 20, "ridge": [0.5, 0.25, 1.0]}
    run.holdout = {"rmse": 0.1, "mae": 0.08, "entries": 120}
    run.kkt_violation, run.objective, run.penalty = 1.23456e-4, 1246.76, 3.0
    return run


def tucker():
    """A Tucker model with long names, more columns than a map has, and a mode without any."""
    rng = np.random.default_rng(1)
    factors = [np.linalg.qr(rng.normal(size=(n, r)))[0] for n, r in ((300, 30), (40, 3), (5, 2))]
    labels = [[f"{'a-name-as-long-as-' * 3}{i}" for i in range(300)], None, None, None]
    core = rng.normal(size=(30, 3, 2, 3))
    return TuckerModel(core, [*factors, None], labels, ["unbroken" * 4, "b", "c", "d"])


def choice():
    """A choice of the rank with numbers as wide as they come."""
    row = {
        "objective": 12345.678, "fit": 0.5, "starts": 1000, "reached": 1000, "agreement": 0.9,
        "worst_component": 0.8, "holdout_loss": 12345.678, "holdout_error": 1234.5,
        "congruence": 0.25, "core_consistency": -12345.0, "seconds": 12345.67,
    }  # fmt: skip
    return RecordedRanks({
        "suggested": 2, "decided": False, "reasons": [{"text": "R = 2."}], "zero_model": {},
        "ranks": [{**row, "rank": rank} for rank in (1, 2, 3, 1000)], "held_out": {"entries": 400},
    })  # fmt: skip


def named(order, certain):
    """A run with names of all widths, and with standard errors."""
    shape = [20, 30, 6, 40, 4][:order]
    days = [f"2001-{1 + i // 28:02}-{1 + i % 28:02}" for i in range(40)]
    words = ["meeting", "MMMMMMMM", "deal", "日本語日本語", "price", "lunch"]
    places = ["Northern-Ireland", "South Africa", "a-name-that-no-column-" * 2, "W" * 30]
    model = random_model(shape, 3)
    model.labels = [[f"p{i}" for i in range(20)], [f"q{i}" for i in range(30)], words, days, places]
    model.labels = model.labels[:order]
    run = Result(model, iterations=9, notes=[])
    if certain:
        run.standard_errors = {
            "weights": [0.1] * 3, "factors": [np.full(each.shape, 0.012) for each in model.factors]
        }  # fmt: skip
    return run


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    model = titanic().model
    genten.report(read_recorded(HERE / "data" / "titanic.json", model), folder / "titanic.html")
    large = random_model([5000, 60, 12, 30], 6, names=True)
    large.labels[0][int(np.abs(large.factors[0][:, 0]).argmax())] = "unbroken" * 30
    large.factors[0][:, 5] = large.factors[0][:, 4]
    genten.report(large, folder / "large.html")
    genten.report(held_out(), folder / "held-out.html")
    genten.report(tucker(), folder / "tucker.html")
    (folder / "ranks.html").write_text(render_ranks(choice()), encoding="utf-8")
    for name in BARS:
        kind, order = name.split("-")
        genten.report(named(int(order), kind == "certain"), folder / f"{name}.html")
    return {name: f"file://{folder}/{name}.html" for name in {*PAGES, *BARS}}


@pytest.fixture(scope="module")
def browser():
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


def show(browser, page, size="desktop", scheme="light"):
    width, height = SIZES[size]
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
    )
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-color-scheme", "value": scheme}]},
    )
    browser.get(page)
    browser.execute_script("document.querySelectorAll('details').forEach(d => { d.open = true })")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", PAGES)
def test_no_complaints_and_nothing_wider_than_the_screen(browser, pages, name, size, scheme):
    show(browser, pages[name], size, scheme)
    assert browser.get_log("browser") == []
    wide = browser.execute_script(
        "return [...document.querySelectorAll('body *')].filter("
        "e => !e.closest('.hidden, .skip, .wide table')"
        " && e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML.slice(0, 80))"
    )
    assert wide == [] and browser.execute_script(
        "return document.documentElement.scrollWidth <= innerWidth"
    )
    page = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert page == ("rgb(255, 255, 255)" if scheme == "light" else "rgb(19, 23, 27)")
    # Each chart shows its lines inside its frame.
    outside = browser.execute_script(
        "return [...document.querySelectorAll('svg.chart')].filter(s => { const f ="
        " s.getBoundingClientRect(); return [...s.querySelectorAll('text, circle, path')].some("
        "e => { const b = e.getBoundingClientRect(); return b.left < f.left - 1 ||"
        " b.right > f.right + 1 || b.top < f.top - 1 || b.bottom > f.bottom + 1; }) }).length"
    )
    assert outside == 0


@pytest.mark.parametrize("size", ["narrow", "desktop"])
@pytest.mark.parametrize("name", BARS)
def test_names_break_within_words_only_where_these_are_wider_than_their_column(
    browser, pages, name, size
):
    show(browser, pages[name], size, "dark" if size == "narrow" else "light")
    broken = browser.execute_script(
        "const broken = [];"
        "for (const cell of document.querySelectorAll('.mode th[scope=row]')) {"
        "  const text = cell.firstChild, style = getComputedStyle(cell);"
        "  const room = cell.clientWidth - parseFloat(style.paddingRight);"
        "  for (const word of text.data.matchAll(/[^\\s-]+/g)) {"
        "    const range = document.createRange();"
        "    range.setStart(text, word.index);"
        "    range.setEnd(text, word.index + word[0].length);"
        "    const lines = [...range.getClientRects()].map(r => r.width);"
        "    const width = lines.reduce((a, b) => a + b, 0);"
        "    if (lines.length > 1 && (width <= room || room < 60)) broken.push(text.data);"
        "  }"
        "}"
        "return broken"
    )
    assert broken == []
    days = "[...document.querySelectorAll('.mode th')].filter(e => /^2001-/.test(e.textContent))"
    heights = browser.execute_script(f"return {days}.map(e => e.clientHeight)")
    assert max(heights, default=0) < 45 and (len(heights) > 0) == (int(name[-1]) > 3)
    # Those of a mode stand in one line with their bars, or with their interval below the number.
    bars = browser.execute_script(
        "return Math.min(...[...document.querySelectorAll('.mode svg.bar')]"
        ".map(e => e.getBoundingClientRect().width))"
    )
    assert bars > 20


def test_a_screenshot_shows_colours_of_both_signs(browser, pages, tmp_path):
    image = pytest.importorskip("PIL.Image")
    show(browser, pages["titanic"])
    browser.execute_script("document.getElementById('component-2').scrollIntoView()")
    (tmp_path / "shot.png").write_bytes(base64.b64decode(browser.get_screenshot_as_base64()))
    pixels = np.asarray(image.open(tmp_path / "shot.png").convert("RGB")).reshape(-1, 3)
    assert {(0, 103, 165), (184, 69, 0)} <= set(
        map(tuple, pixels.tolist())
    )  # Blue bars, and orange ones.


def test_the_keyboard_reaches_everything(browser, pages):
    keys = pytest.importorskip("selenium.webdriver.common.keys").Keys
    show(browser, pages["titanic"])
    focused, body = [], browser.find_element("tag name", "body")
    wanted = browser.execute_script(
        "return document.querySelectorAll('a, summary, [tabindex=\"0\"]').length"
    )
    body.send_keys(keys.TAB)
    for _ in range(wanted):
        element = browser.switch_to.active_element
        outline = element.value_of_css_property("outline-style")
        focused.append((element.tag_name, element.text, outline))
        element.send_keys(keys.TAB)
    assert focused[0][1] == "Skip to the report"
    assert len(focused) == wanted and all(outline == "solid" for _, _, outline in focused)
    assert {"a", "summary", "div"} == {tag for tag, _, _ in focused}


def test_the_skip_link_goes_to_the_main_part(browser, pages):
    keys = pytest.importorskip("selenium.webdriver.common.keys").Keys
    show(browser, pages["titanic"])
    browser.find_element("css selector", ".skip").send_keys(keys.ENTER)
    assert browser.switch_to.active_element.get_attribute("id") == "main"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing(browser, pages, name, scheme):
    axe = pytest.importorskip("axe_core_python.selenium", reason="no axe-core-python")
    show(browser, pages[name], scheme=scheme)
    found = axe.Axe().run(browser)
    assert [(rule["id"], len(rule["nodes"])) for rule in found["violations"]] == []
    assert len(found["passes"]) > 15


def test_print_is_light_and_whole_on_few_pages(browser, pages):
    show(browser, pages["titanic"], scheme="dark")
    printed = browser.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})
    document = base64.b64decode(printed["data"])
    assert document.startswith(b"%PDF")
    assert 2 <= document.count(b"/Type /Page\n") <= 6
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    page, ink = (
        browser.execute_script(f"return getComputedStyle(document.body).{name}")
        for name in ("backgroundColor", "color")
    )
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert (page, ink) == ("rgb(255, 255, 255)", "rgb(27, 31, 36)")
