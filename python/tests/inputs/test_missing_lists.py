# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Lists of missing entries: files of them, what is no list, and models whose run had one."""

import warnings

import numpy as np
import pytest

import genten

USERS, FILMS = list("abcde"), list("pqrs")


@pytest.fixture
def ratings():
    """A tensor of rank 1, of which two entries are spoilt, and these entries."""
    whole = np.outer(np.arange(1.0, 6), np.arange(1.0, 5))
    gone = np.array([[0, 3], [4, 1]])
    whole[tuple(gone.T)] = 100
    return genten.tensor(whole, labels=[USERS, FILMS], mode_names=["user", "film"]), gone


def fitted(X, missing):
    return genten.cp(X, 1, missing=missing, tolerance=1e-12, max_iterations=300)


def test_files_of_entries(ratings, tmp_path):
    X, gone = ratings
    expected = fitted(X, gone)
    assert expected.fit > 0.999
    by_number, by_name = tmp_path / "away.tns", tmp_path / "away.csv"
    by_number.write_text("1 4\n5 2\n")
    by_name.write_text("film,user\ns,a\nq,e\n")
    for file in (by_number, by_name, str(by_name)):
        found = fitted(X, file)
        assert found.objective == expected.objective
        assert found.options["missing"].subscripts.tolist() == gone.tolist()
        assert found.model.evaluate(X, missing=file).fit == pytest.approx(expected.fit)
    by_name.write_text("film,usr\ns,a\n")
    with pytest.raises(OSError, match=r"columns \['user', 'film'\], got \['film', 'usr'\]"):
        fitted(X, by_name)
    genten.write(found.options["missing"], tmp_path / "away.gtn")  # with names beside it
    assert fitted(X, tmp_path / "away.gtn").objective == expected.objective
    assert fitted(X, "none").completion is None
    # Text counts from what the tensor's text counts from.
    (tmp_path / "x.tns").write_text("0 0 1\n0 1 2\n1 0 2\n1 1 9\n")
    (tmp_path / "z.tns").write_text("1 1\n")
    Z = genten.read(tmp_path / "x.tns", index_base="0")
    assert fitted(Z, tmp_path / "z.tns").options["missing"].subscripts.tolist() == [[1, 1]]


def test_parquet_lists_entries(ratings, tmp_path):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    X, gone = ratings
    table = pandas.DataFrame({"film": ["s", "q"], "user": ["a", "e"], "why": [1.5, 2.5]})
    table.to_parquet(tmp_path / "away.parquet")
    assert fitted(X, tmp_path / "away.parquet").objective == fitted(X, gone).objective


def test_tables_of_truth_and_masked_arrays_are_no_lists(ratings):
    pandas = pytest.importorskip("pandas")
    X, _ = ratings
    wide = pandas.DataFrame(X.to_dense() > 50, index=USERS, columns=FILMS)
    with pytest.raises(TypeError, match=r"^missing: expected a mask .* by \.to_numpy\(\); got a"):
        genten.cp(X, 1, missing=wide)
    assert fitted(X, wide.to_numpy()).fit > 0.999
    long = pandas.DataFrame({"user": ["a"], "film": ["s"], "stars": [np.nan]})
    why = r"a row for each missing entry and the columns \['user', 'film'\], as table\[table\["
    for frame in (long.isna(), long["stars"].isna(), long.isna().astype("boolean")):
        with pytest.raises(TypeError, match=why):
            genten.cp(X, 1, missing=frame)
    assert fitted(X, long[long["stars"].isna()]).completion["entries"] == 19
    with pytest.raises(TypeError, match=r"got a masked array, whose mask is numpy.ma.getmaskarray"):
        genten.cp(X, 1, missing=np.ma.masked_greater(X.to_dense(), 50))
    with pytest.raises(ValueError, match=r"cp\(X, rank, missing=numpy.ma.getmaskarray\(X\)\)"):
        genten.tucker(np.ma.masked_greater(X.to_dense(), 50), 1)
    for number in True, np.nan, np.float32(1):
        with pytest.raises(TypeError, match="^missing: expected 'unlisted', entries, a mask, a"):
            genten.cp(X, 1, missing=number)


def test_tables_of_rows_that_are_called_true_and_false_are_lists():
    pandas = pytest.importorskip("pandas")
    truth = [(a, b, c) for a in (True, False) for b in (True, False) for c in (1.0, 2.0)]
    table = pandas.DataFrame(truth[::3], columns=["a", "b", "x"])
    X = genten.tensor(table, values="x")
    r = fitted(X, table[["b", "a"]][:1])
    assert r.completion["entries"] == 3
    assert r.objective == fitted(X, [("True", "True")]).objective
    X.labels = [None, None]
    with pytest.raises(TypeError, match="got a table of True and False"):
        fitted(X, table[["a", "b"]])


def test_lists_of_what_is_known_are_asked_after():
    X = genten.tensor(np.outer([1.0, 2.0, 0.0], [1.0, 3.0]))
    known = X.to_dense() > 0
    ask = "does the list name what is known, in place of what is missing"
    for missing in (genten.tensor(known), np.argwhere(known)):
        with pytest.raises(ValueError, match=f"^missing: expected entries that leave .* {ask}"):
            genten.cp(X, 1, missing=missing)


def test_models_of_a_run_with_a_list_say_so(ratings):
    X, gone = ratings
    r = fitted(X, gone)
    told = "was made without entries that a list named as missing; here all entries "
    told += "of X count, unless missing="
    with pytest.warns(UserWarning, match=f"^project: the model {told} of project_rows says which"):
        r.model.project(X, "user")
    for projecting in (r.model.project_rows, r.project_rows):
        with pytest.warns(UserWarning, match=f"^project_rows: the model {told}"):
            projecting(X, "user")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rows = r.model.project_rows(X, "user", missing=gone).rows
        r.project_rows(X, "user", missing="none")
    assert rows == pytest.approx(r.model.factors[0], rel=1e-5)


def test_reports_know_the_list(ratings, tmp_path):
    pytest.importorskip("jinja2")
    from genten._report_cli import main
    from genten.reports import render_report

    X, gone = ratings
    r = fitted(X, gone)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        of_run = render_report(r, tensor=X, date="")
        page = render_report(r.model, tensor=X, missing=gone, date="")
        none = render_report(r.model, tensor=X, missing="none", date="")
    assert "2 of a list; all others count, zeros too" in page and "of a list" not in none
    for each, is_there in ((page, False), (of_run, False), (none, True)):
        assert ('data-head="Value">100<' in each) is is_there
    with pytest.warns(UserWarning, match="^report: the model was made without entries that a list"):
        warned = render_report(r.model, tensor=X, date="")
    assert warned == none
    with pytest.raises(ValueError, match="^missing: has no effect without a tensor"):
        render_report(r.model, missing=gone)

    model, tensor, away, out = (tmp_path / name for name in ("m.gkt", "x.gtn", "a.tns", "r.html"))
    r.model.save(model)
    genten.write(X, tensor)
    away.write_text("1 4\n5 2\n")
    given = [str(model), "--tensor", str(tensor), "-o", str(out)]
    assert main([*given, "--missing", str(away)]) == 0
    assert "2 of a list; all others count" in out.read_text(encoding="utf-8")
    with pytest.warns(UserWarning, match="^report: the model was made without entries"):
        assert main(given) == 0
    assert main([str(model), "--missing", str(away), "-o", str(out)]) == 2
    assert main([*given, "--missing", "unlistd"]) == 2


def test_a_list_that_is_not_known_is_no_file(ratings, tmp_path, monkeypatch):
    pytest.importorskip("jinja2")
    from genten.reports import render_report

    X, gone = ratings
    r = fitted(X, gone)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "listed").write_text("no list\n")
    (tmp_path / "folder").mkdir()
    for word in "listed", "folder":
        r.options["missing"] = word
        with pytest.warns(UserWarning, match="^report: the model was made without entries that a"):
            render_report(r, tensor=X, date="")


def test_reports_of_models_of_known_entries_look_at_these(ratings):
    pytest.importorskip("jinja2")
    from genten.reports import render_report

    X, gone = ratings
    kept = ~(X.values == 100)
    known = genten.tensor((X.subscripts[kept], X.values[kept], X.shape))
    model = genten.cp(known, 1, missing="unlisted", max_iterations=2).model
    page = render_report(model, tensor=known, date="")
    assert "18 listed entries" in page and "zeros among them" not in page
