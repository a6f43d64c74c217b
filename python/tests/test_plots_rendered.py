# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Pictures as rendered, against stored ones: looked at once, kept since.

GENTEN_STORE_PICTURES=1 stores what is rendered now; look at every file before you commit it.
"""

import copy
import os
import pathlib

import numpy as np
import pytest

pytest.importorskip("matplotlib", reason='pictures need pip install "genten[plot]"')
from PIL import Image, ImageFilter
from stand_ins import HERE, Model, random_model, titanic

from genten.plots import plot_model, plot_result, plot_starts, save

STORED = HERE / "pictures"
# Versions of Matplotlib set text differently; blurred, 3.8 and 3.11 differ by up to 2.
# One bar turned round makes 6, a curve that is one percent lower 5.
BLUR, TOLERANCE = 5, 3.0


def mixed_model() -> Model:
    """A mode of each kind: years, long names, nameless long, short; a negative weight."""
    model = random_model([60, 30, 5000, 5], 3, seed=3)
    model.labels = [
        [str(1960 + row) for row in range(60)],
        [f"a rather long name of a {'thing' * (row % 3)}, number {row}" for row in range(30)],
        None,
        ["alpha", "beta", "gamma", "delta", "a long last one"],
    ]
    model.weights[1] *= -1
    return model


def several_results() -> list:
    results = []
    for seed in range(1, 5):
        result = titanic()
        result.options["seed"], result.fit = seed, 0.95 - 0.002 * seed**2
        generator = np.random.default_rng(seed)
        for factor in result.model.factors:
            factor += 0.08 * seed * generator.standard_normal(factor.shape)
        results.append(result)
    return results


def result_with_all_histories():
    result = titanic()
    for number, start in enumerate(result.starts):
        history = copy.deepcopy(result.history)
        history["fit"] = history["fit"] - 0.004 * (3 - number)
        start["history"] = history
    return result


PICTURES = {
    "model-titanic": lambda: plot_model(titanic().model),
    "model-mixed": lambda: plot_model(mixed_model(), title="Every kind of mode"),
    "model-eight-modes": lambda: plot_model(random_model([3, 4, 2, 7, 3, 900, 30, 2], 2)),
    "result-titanic": lambda: plot_result(titanic()),
    "result-all-histories": lambda: plot_result(result_with_all_histories()),
    "starts": lambda: plot_starts(several_results()),
}


def difference(name: str, rendered: pathlib.Path) -> float:
    """The root mean square between blurred pictures, of 255; infinite for another size."""
    stored, found = (Image.open(file).convert("RGB") for file in (STORED / f"{name}.png", rendered))
    if stored.size != found.size:
        return np.inf
    blur = ImageFilter.GaussianBlur(BLUR)
    one, other = (np.asarray(image.filter(blur), dtype=float) for image in (stored, found))
    return float(np.sqrt(np.mean((one - other) ** 2)))


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_looks_like_the_stored_one(name, tmp_path):
    rendered = tmp_path / f"{name}.png"
    save(PICTURES[name](), rendered)
    if os.environ.get("GENTEN_STORE_PICTURES"):
        Image.open(rendered).convert("RGB").save(STORED / f"{name}.png", optimize=True)
    assert difference(name, rendered) < TOLERANCE


def test_the_comparison_notices_one_bar_and_one_percent(tmp_path):
    result = titanic()
    result.model.factors[0][2, 1] *= -1
    save(plot_model(result.model), tmp_path / "bar.png")
    assert difference("model-titanic", tmp_path / "bar.png") > TOLERANCE
    result.history["fit"] = 0.99 * result.history["fit"]
    save(plot_result(result), tmp_path / "curve.png")
    assert difference("result-titanic", tmp_path / "curve.png") > TOLERANCE


def test_the_users_settings_do_not_change_a_picture(tmp_path):
    import matplotlib

    with matplotlib.rc_context({"font.size": 20, "axes.facecolor": "black", "lines.linewidth": 9}):
        before = dict(matplotlib.rcParams)
        save(plot_result(titanic()), tmp_path / "styled.png")
        assert dict(matplotlib.rcParams) == before
    assert difference("result-titanic", tmp_path / "styled.png") < TOLERANCE
