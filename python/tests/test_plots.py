# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What pictures show: the model's own numbers, names that fit, and nothing changed."""

import copy
import os
import re
import subprocess
import sys
import warnings

import numpy as np
import pytest

pytest.importorskip("matplotlib", reason='pictures need pip install "genten[plot]"')
from matplotlib.artist import Artist
from stand_ins import HERE, Model, Result, random_model, titanic

import genten
from genten.describe.kinds import kind_of
from genten.plots import plot_model, plot_result, plot_starts, plot_tucker, save


def axes_of(figure, label):
    return next(axes for axes in figure.axes if axes.get_label() == label)


def texts_of(figure):
    return [text.get_text() for axes in figure.axes for text in axes.texts]


def test_bars_are_the_factors_entries_heaviest_component_first():
    model = titanic().model
    model.weights = model.weights[::-1].copy()
    figure = plot_model(model)
    assert figure.axes[0].get_label() == "component 2 weight"
    for r in range(3):
        for mode, factor in enumerate(model.factors):
            bars = axes_of(figure, f"component {r} mode {mode}").patches
            np.testing.assert_array_equal([bar.get_height() for bar in bars], factor[:, r])
    last = axes_of(figure, "component 0 mode 0")
    assert [tick.get_text() for tick in last.get_xticklabels()] == ["1st", "2nd", "3rd", "Crew"]
    assert {"class", "sex", "age", "survived", "100.0%", "41.1%", "15.7%"} <= set(texts_of(figure))


def test_long_modes_show_the_strongest_rows_by_name_and_all_magnitudes():
    model = random_model([100_000, 3], 2, names=True)
    figure = plot_model(model, k=4)
    column = model.factors[0][:, 1]
    rows = np.argsort(-np.abs(column))[:4]
    axes = axes_of(figure, "component 1 mode 0")
    np.testing.assert_array_equal([bar.get_width() for bar in axes.patches], column[rows])
    names = [tick.get_text() for tick in axes.get_yticklabels()]
    assert names == [f"name {row} of mode 0" for row in rows]
    x, y = axes_of(figure, "component 1 mode 0 sorted").lines[0].get_data()
    assert len(x) < 200 and x[0] == 1 and x[-1] == 100_000
    np.testing.assert_array_equal(y, np.sort(np.abs(column))[::-1][np.asarray(x, int) - 1])


def test_one_scale_for_all_components_of_a_mode_and_a_dashed_zero():
    model = random_model([5, 50, 500], 4, seed=2)
    figure = plot_model(model)
    for mode in range(3):
        entries = [axes_of(figure, f"component {r} mode {mode}") for r in range(4)]
        assert len({entry.get_xlim() for entry in entries}) == 1
        assert len({entry.get_ylim() for entry in entries}) == 1
        for entry in entries:
            dashed = [line for line in entry.lines if line.get_linestyle() == "--"]
            assert len(dashed) == 1 and 0.0 in (*dashed[0].get_xdata(), *dashed[0].get_ydata())
            low, high = entry.get_ylim() if mode < 2 else entry.get_xlim()
            assert low <= model.factors[mode].min() and high >= model.factors[mode].max()


def test_ordered_names_are_lines_and_other_middling_ones_are_not():
    years = [str(1900 + row) for row in range(60)]
    days = [f"2024-{1 + row // 28:02d}-{1 + row % 28:02d}" for row in range(60)]
    for names, lines in (
        (years, True),
        (days, True),
        (years[::-1], False),
        (None, True),
        ([f"n{row}" for row in range(60)], False),
    ):
        model = Model(np.ones(1), [np.ones((60, 1))], [names])
        axes = axes_of(plot_model(model), "component 0 mode 0")
        assert (len(axes.patches) == 0) == lines
    months = [f"{year}-{month:02d}" for year in (2021, 2025) for month in range(1, 13)]
    model = Model(np.ones(1), [np.ones((24, 1))], [months])
    axes = axes_of(plot_model(model), "component 0 mode 0")
    x = axes.lines[0].get_xdata() / 86400  # days
    assert x[12] - x[11] == 31 + 3 * 365 + 1 and x[1] - x[0] == 31  # three years lack
    assert np.array_equal(axes.get_xlim(), axes.lines[0].get_xdata()[[0, -1]])
    assert axes.get_xticklabels()[0].get_text() == "2021-01"
    for names in (
        [f"{year}-{(year + 1) % 100:02d}" for year in range(1990, 2020)],  # seasons
        [f"2024-01-01T00:00:00.{part:03d}" for part in range(30)],
        [f"2024-{month:02d}-{day:02d}" for month in range(1, 3) for day in range(1, 32)],
        [*map(str, range(29)), "inf"],
    ):
        plot_model(Model(np.ones(1), [np.ones((len(names), 1))], [names])).canvas.draw()
    model = Model(np.ones(1), [np.ones((60, 1))], [years])
    assert axes_of(plot_model(model, kinds={0: "bars"}), "component 0 mode 0").patches


@pytest.mark.parametrize(
    ("names", "days"),
    [
        ([f"2023-W{week:02d}" for week in range(34, 53)] + ["2024-W01", "2024-W05"], 28),
        ([f"{year}Q{n}" for year in range(2018, 2023) for n in range(1, 5)] + ["2023-Q3"], 273),
        ([f"{year}H{n}" for year in range(2010, 2020) for n in (1, 2)] + ["2021H1"], 550),
        ([f"2024-01-{d:02d}/2024-01-{d:02d}" for d in range(1, 20)] + ["2024-01-25/2024-01-25"], 6),
    ],
)
def test_weeks_quarters_and_halves_are_lines_with_room_for_those_left_out(names, days):
    model = Model(np.ones(1), [np.arange(1.0, len(names) + 1)[:, None]], [names])
    line = axes_of(plot_model(model), "component 0 mode 0").lines[0].get_xdata()
    assert np.diff(line)[-1] == days * 86400


def test_what_is_no_order_of_weeks_is_no_line():
    for names in (
        sorted(f"2024-W{week}" for week in range(1, 21)),  # 1, 10, 11, ...
        [f"2024-W{week:02d}" for week in range(40, 54)] + [f"2025-W{w:02d}" for w in range(1, 9)],
        [f"20{n:02d}X1" for n in range(20)],
    ):
        model = Model(np.ones(1), [np.ones((len(names), 1))], [names])
        assert kind_of(model, 0) == "top"


@pytest.mark.parametrize("order", range(1, 9))
@pytest.mark.parametrize("rank", [1, 3])
def test_any_order_fits(order, rank):
    figure = plot_model(random_model([2, 20, 700, 5, 17, 401, 3, 2][:order], rank))
    entries = [axes for axes in figure.axes if re.search(r"mode \d$", axes.get_label())]
    assert len(entries) == order * rank
    for axes in figure.axes:
        box = axes.get_position()
        assert box.x0 >= 0 and box.x1 <= 1 and box.y0 >= 0 and box.y1 <= 1


def test_no_text_leaves_the_page_or_lies_over_another():
    model = random_model([16, 30, 3000], 4, names=True)
    model.labels[1] = ["word " * 12 + str(row) for row in range(30)]
    figure = plot_model(model)
    renderer = figure.canvas.get_renderer()
    figure.draw(renderer)
    boxes = []
    for axes in figure.axes:
        low, high = sorted(axes.get_ylim())
        shown = [
            tick.label1
            for tick in axes.yaxis.get_major_ticks()
            if axes.axison and tick.label1.get_visible() and low <= tick.get_loc() <= high
        ]
        for text in (*axes.texts, *shown):
            if text.get_text() and text.get_visible():
                boxes.append((text.get_text(), text.get_window_extent(renderer)))
    for text, box in boxes:
        assert box.x0 >= 0 and box.x1 <= figure.bbox.x1 and box.y0 >= 0, text
        assert box.y1 <= figure.bbox.y1, text
    for i, (text, box) in enumerate(boxes):
        for other, place in boxes[:i]:
            assert not box.padded(-1.5).overlaps(place.padded(-1.5)), (text, other)


def test_a_hundred_components_show_the_heaviest_and_any_can_be_chosen():
    model = random_model([3, 4], 100)
    figure = plot_model(model)
    assert len([a for a in figure.axes if a.get_label().endswith("weight")]) == 32
    assert "the heaviest 32" in figure.texts[0].get_text()
    chosen = plot_model(model, components=[7, 3], modes=[1])
    assert chosen.texts[0].get_text() == "3 × 4, 100 components, 2 of them"
    assert [axes.get_label() for axes in chosen.axes] == [
        "component 7 weight",
        "component 7 mode 1",
        "component 3 weight",
        "component 3 mode 1",
    ]
    assert len([a for a in plot_model(model, components=2).axes if "weight" in a.get_label()]) == 2


def test_wrong_arguments_are_refused():
    model = random_model([3, 4], 2)
    for wrong in (
        {"components": [2]},
        {"components": 3},
        {"components": [0, 0]},
        {"modes": "class"},
        {"components": 0},
        {"components": []},
        {"modes": [-3]},
        {"k": 0},
        {"kinds": {0: "pie"}},
    ):
        with pytest.raises(ValueError, match="expected"):
            plot_model(model, **wrong)
    with pytest.raises(ValueError, match="at least two"):
        plot_starts([titanic()])
    with pytest.raises(ValueError, match="expected 2"):
        plot_starts([titanic(), titanic()], names=["one"])


def test_names_are_shown_as_they_are():
    model = Model(
        np.ones(1),
        [np.ones((2, 1)), np.ones((20, 1))],
        [["$x$", "a $\\frac"], ["<b>$y$</b>\n2"] * 20],
    )
    figure = plot_model(model)
    figure.canvas.draw()
    below = axes_of(figure, "component 0 mode 0").get_xticklabels()
    assert [tick.get_text() for tick in below] == ["$x$", "a $\\frac"]
    assert axes_of(figure, "component 0 mode 1").get_yticklabels()[0].get_text() == "<b>$y$</b> 2"


def test_zero_components_and_empty_histories_are_drawn():
    plot_model(Model(np.zeros(2), [np.zeros((3, 2)), np.zeros((500, 2))])).canvas.draw()
    plot_result(Result(random_model([3], 1))).canvas.draw()
    nan = Result(
        random_model([3], 1),
        fit=float("nan"),
        stop_reason="non_finite",
        history={"iteration": [1], "fit": [np.nan], "fit_change": [np.nan], "seconds": [0.1]},
    )
    plot_result(nan).canvas.draw()


def test_models_that_are_not_finite_are_drawn_as_far_as_they_are():
    model = random_model([3, 50, 500], 3)
    model.weights[1] = np.nan
    for factor, value in zip(model.factors, (np.nan, np.inf, -np.inf), strict=True):
        factor[1, 2] = value
    plot_model(model).canvas.draw()


def test_nothing_is_changed(tmp_path):
    result = titanic()
    before = copy.deepcopy(result)
    for array in (result.model.weights, *result.model.factors, *result.history.values()):
        array.setflags(write=False)
    save(plot_model(result.model), tmp_path / "a.png")
    save(plot_result(result), tmp_path / "b.png")
    save(plot_starts([result, result]), tmp_path / "c.png")
    np.testing.assert_equal(vars(result.model), vars(before.model))
    np.testing.assert_equal(result.history, before.history)
    assert result.starts == before.starts


def test_runs_are_the_recorded_ones():
    result = titanic()
    figure = plot_result(result)
    by_iteration, by_seconds, change = figure.axes
    curve = max(by_iteration.lines, key=lambda line: len(line.get_xdata()))
    np.testing.assert_array_equal(curve.get_ydata(), result.history["fit"])
    np.testing.assert_array_equal(by_seconds.lines[0].get_xdata(), result.history["seconds"])
    np.testing.assert_array_equal(change.lines[0].get_ydata(), np.abs(result.history["fit_change"]))
    ends = [
        line.get_xydata()[0].tolist() for line in by_iteration.lines if len(line.get_xdata()) == 1
    ]
    assert all([start["iterations"], start["fit"]] in ends for start in result.starts)
    assert "converged after 45 iterations, best of 4 starts" in figure.texts[0].get_text()
    assert "tolerance 0.0001" in [text.get_text() for text in change.texts]


def test_scores_between_starts_best_fit_first():
    results = [titanic(), titanic(), titanic()]
    for seed, (result, fit) in enumerate(zip(results, (0.8, 0.9, 0.7), strict=True)):
        result.fit, result.options["seed"] = fit, 10 + seed
    results[2].model.factors[0] = results[2].model.factors[0][::-1].copy()
    figure = plot_starts(results)
    axes = axes_of(figure, "scores")
    assert [t.get_text() for t in axes.get_xticklabels()] == ["seed 11", "seed 10", "seed 12"]
    scores = axes.images[0].get_array()
    assert scores[0, 1] == pytest.approx(1.0)
    assert scores[0, 2] == results[1].model.score(results[2].model) < 0.9
    np.testing.assert_array_equal(scores, scores.T)


@pytest.mark.parametrize(
    "fits", [[0.8, 0.9], [0.7668470311421, 0.7668470311428], [0.5, 0.5], [0.8902681, 0.8902693],
             [-3.5, 0.1], [0.12345, 0.12346]]
)  # fmt: skip
def test_names_of_fits_do_not_overlap(fits):
    results = [titanic(), titanic()]
    for result, fit in zip(results, fits, strict=True):
        result.fit = fit
    figure = plot_starts(results)
    axes = axes_of(figure, "fits")
    figure.canvas.draw()
    low, high = axes.get_xlim()
    shown = [
        label.get_window_extent()
        for tick, label in zip(axes.get_xticks(), axes.get_xticklabels(), strict=True)
        if low <= tick <= high
    ]
    assert shown and low < min(fits) and max(fits) < high
    for one, other in zip(shown, shown[1:], strict=False):
        assert one.x1 < other.x0


def test_starts_of_one_result_are_fits_alone():
    result = titanic()
    figure = plot_starts(result)
    assert [axes.get_label() for axes in figure.axes] == ["fits"]
    axes = figure.axes[0]
    best = f"seed {result.starts[result.best_start]['seed']}"
    assert len(axes.get_yticklabels()) == len(result.starts) == 4
    assert axes.get_yticklabels()[0].get_text() == best
    assert "run again with keep_starts=True" in "".join(t.get_text() for t in figure.texts)
    result.starts = result.starts[:1]
    with pytest.raises(ValueError, match="a result of at least two starts, got one of 1"):
        plot_starts(result)
    for wrong in (3, "ab"):
        with pytest.raises(TypeError, match="plot_starts: expected a sequence of results"):
            plot_starts(wrong)


@pytest.mark.parametrize(
    "suffix, beginning", [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")]
)
def test_the_same_picture_gives_the_same_file(suffix, beginning, tmp_path):
    for name in ("one", "two"):
        save(plot_model(titanic().model), tmp_path / (name + suffix))
    one = (tmp_path / f"one{suffix}").read_bytes()
    assert one.startswith(beginning)
    assert one == (tmp_path / f"two{suffix}").read_bytes()
    if suffix == ".svg":
        assert b">Crew<" in one  # Text that one can search and read aloud.


def run_python(code):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE), *sys.path])}
    return subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, env=environment
    ).stdout


def test_a_notebook_shows_a_picture_without_pyplot():
    run_python(
        "import sys, genten.plots, stand_ins; "
        "p = genten.plots.plot_model(stand_ins.titanic().model)._repr_png_(); "
        "assert p.startswith(b'\\x89PNG'); assert 'matplotlib.pyplot' not in sys.modules"
    )


def test_without_matplotlib_the_error_says_what_to_install():
    told = run_python(
        "import sys; sys.modules['matplotlib'] = None\n"
        "try: import genten.plots\n"
        "except ImportError as error: print(error)"
    )
    assert 'pip install "genten[plot]"' in told


def test_tucker_models_have_a_map_of_the_core_and_panels_of_factors():
    r = genten.tucker(np.sin(np.arange(24.0)).reshape(2, 3, 4), (2, 2, 0))
    picture = plot_tucker(r, mode=1, k=2, title="Three modes")
    core, *panels = picture.axes
    assert [each.get_label() for each in panels] == ["mode 0", "mode 1"]
    (image,) = core.get_images()
    found = np.moveaxis(r.model.core, 1, 0).reshape(2, -1, order="F")
    assert np.array_equal(image.get_array(), found)
    assert image.get_clim() == (-np.abs(found).max(), np.abs(found).max())
    strongest = np.sort(np.argsort(-np.linalg.norm(r.model.factors[1], axis=1))[:2])
    assert [text.get_text() for text in panels[1].get_yticklabels()] == list(map(str, strongest))
    with pytest.raises(ValueError, match="plot_tucker: k: expected at least 1, got 0"):
        plot_tucker(r.model, k=0)
    with pytest.raises(ValueError, match="mode"):
        plot_tucker(r.model, mode=3)


def test_signs_that_no_font_has_are_told_of_once(tmp_path):
    names = ["\U00013080\U00013081", "Ω", "\U00013080"]  # hieroglyphs, in no font of a plain system
    model = genten.Model(None, [np.ones((3, 1)), np.ones((2, 1))], [names, None], [names[0], "b"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure = plot_model(model)  # Measuring is no drawing.
    for draw in (save, lambda figure, path: figure.savefig(path)):
        with pytest.warns(UserWarning) as told:
            draw(plot_model(model), tmp_path / "p.png")
        assert len(told) == 1
        assert re.match(
            "no font that is installed has the signs \U00013080\U00013081, which are drawn as "
            "boxes: install one of .*Noto Sans CJK JP", str(told[0].message)
        )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        save(figure, tmp_path / "p.svg")
    assert names[0] in (tmp_path / "p.svg").read_text(encoding="utf-8")


def test_other_warnings_come_once_of_a_picture(tmp_path):
    class Noisy(Artist):
        def draw(self, renderer):
            warnings.warn("noise")

    picture = plot_model(genten.Model(None, [np.ones((3, 1)), np.ones((2, 1))]))
    picture.add_artist(Noisy())
    with pytest.warns(UserWarning, match="^noise$") as told:
        for _ in range(2):
            save(picture, tmp_path / "p.png")
    assert len(told) == 1
