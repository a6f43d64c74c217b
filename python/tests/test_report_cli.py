# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The command python -m genten report."""

import json
import pathlib
import re
import shlex
import types
import warnings

import numpy as np
import pytest

pytest.importorskip("jinja2", reason='reports need pip install "genten[report]"')
from page import Page
from stand_ins import DATA, HERE, Tensor, read_ktensor

from genten._report_cli import in_options, main, parser
from genten.reports.command import python_lines, tool_command

MODEL, RECORD = str(HERE / "data" / "titanic.ktensor"), str(HERE / "data" / "titanic.json")
LABELS = ",".join(str(DATA / "titanic" / f"{n}.labels") for n in ("class", "sex", "age"))


def read_tensor(path):
    entries = np.loadtxt(path, comments="#")
    return Tensor((4, 2, 2, 2), entries[:, :4].astype(int) - 1, entries[:, 4])


def load(path, *, labels=None, mode_names=None):
    """As genten.load does it."""
    model = read_ktensor(path)
    for given in (labels, mode_names):
        if given is not None and len(given) != len(model.factors):
            raise ValueError(f"expected {len(model.factors)}, one a mode, got {len(given)}")
    if labels is not None:
        model.labels = [file and pathlib.Path(file).read_text().splitlines() for file in labels]
    model.mode_names = mode_names
    return model


PACKAGE = types.SimpleNamespace(load=load, read=read_tensor)


def run(*arguments):
    return main([str(argument) for argument in arguments], PACKAGE)


def test_a_model_with_everything_beside_it(tmp_path):
    out = tmp_path / "report.html"
    code = run(MODEL, "--json", RECORD, "--tensor", DATA / "titanic/titanic.tns", "--labels",
               LABELS + ",", "--mode-names", "rank aboard,,,survival", "--title", "A & B",
               "--top", 2, "-o", out)  # fmt: skip
    page = Page(out.read_text(encoding="utf-8"))
    assert code == 0 and page.texts("h1") == ["A & B"]
    captions = page.texts("caption")
    assert [name in captions for name in ("rank aboard", "sex", "age", "survival")] == [True] * 4
    assert {"Crew", "Female", "Adult", "1"} <= set(page.texts("th"))  # The last mode: numbers.
    assert "whole numbers" in page.text and "best of" not in page.text


def test_a_model_alone_goes_to_the_standard_output(capsys):
    assert run(MODEL, "-o", "-") == 0
    assert Page(capsys.readouterr().out).texts("h1") == ["CP model, 3 components"]


def test_tables_are_read_as_decompose_reads_them(tmp_path, capsys):
    genten = pytest.importorskip("genten")
    table, model, out = (tmp_path / name for name in ("t.csv", "m.gkt", "r.html"))
    table.write_text("who;what;week;n\na;x;0;1,5\nb;y;1;2\nb;x;1;4\n")
    options = ["--values", "n", "--decimal", ",", "--modes", "who,what,week"]
    X = genten.read(table, values="n", decimal=",")
    genten.cp(X, 1, seed=1).model.save(model)
    assert main([str(model), "--tensor", str(table), *options, "-o", str(out)]) == 0
    assert "3" in Page(out.read_text(encoding="utf-8")).text
    table.write_text("who;what;week;n\na;x;0;1\nb;y;1;2\n")
    assert main([str(model), "--tensor", str(table), "-o", str(out)]) == 0  # n is left for values
    table.write_text("who;what;week;k;m\na;x;0;1;1\nb;y;1;2;2\n")
    assert main([str(model), "--tensor", str(table), "-o", str(out)]) == 3
    told = capsys.readouterr().err
    assert "columns ['k', 'm'] are none of the modes" in told
    assert "; of a table, --values NAME says here" in told
    assert main([str(model), *options, "-o", str(out)]) == 2
    assert "--values: has no effect without --tensor" in capsys.readouterr().err
    table.write_text("who;what;week;n\na;x;0;1,5\nb;y;1;2\nb;x;1;4\n")
    assert main([str(model), "--tensor", str(table), "-o", str(out)]) == 3
    told = capsys.readouterr().err
    assert "with a decimal comma: --decimal , reads such numbers" in told  # as it is typed here
    typed = ["--decimal", ","]
    assert main([str(model), "--tensor", str(table), *typed, "-o", str(out)]) == 0


@pytest.mark.parametrize(
    "arguments, code, text",
    [
        ((MODEL, "--labels", "one,two", "-o", "-"), 2, "expected 4, one a mode, got 2"),
        ((MODEL, "--mode-names", "a", "-o", "-"), 2, "expected 4, one a mode, got 1"),
        ((MODEL, "--labels", "absent,,,", "-o", "-"), 3, "absent"),
        ((MODEL, "--json", "absent.json", "-o", "-"), 3, "absent.json"),
        ((MODEL, "--json", MODEL, "-o", "-"), 2, "not JSON"),
        ((MODEL, "--top", "0", "-o", "-"), 2, "at least 1"),
        (("absent.ktensor", "-o", "-"), 3, "absent.ktensor"),
        ((MODEL, "-o", "/no/such/folder/x.html"), 3, "/no/such/folder"),
        ((MODEL, "--labels", ",,,", "--mode-names", "a", "-o", "-"), 2, "4 modes here, 1 there"),
    ],
)
def test_errors_say_what_is_wrong(arguments, code, text, capsys):
    assert run(*arguments) == code
    told = capsys.readouterr()
    assert told.err.startswith("genten report: ") and text in told.err and told.out == ""


def test_json_of_another_rank_or_kind_is_refused(tmp_path, capsys):
    other = tmp_path / "other.json"
    other.write_text('{"fit": 1, "stop_reason": "converged", "iterations": 1, "weights": [1]}')
    assert run(MODEL, "--json", other, "-o", "-") == 2
    assert f"{other}: a run of rank 1, but {MODEL} has rank 3" in capsys.readouterr().err
    other.write_text("[1, 2]")
    assert run(MODEL, "--json", other, "-o", "-") == 2
    assert "genten decompose --json" in capsys.readouterr().err


def test_names_in_the_json_are_taken_where_there_are_no_others(tmp_path):
    record = json.loads(pathlib.Path(RECORD).read_text())
    record["labels"] = [["1st", "2nd", "3rd", "Crew"], ["Male", "Female"], None, ["No", "Yes"]]
    named, out = tmp_path / "named.json", tmp_path / "report.html"
    named.write_text(json.dumps(record))
    assert run(MODEL, "--json", named, "-o", out) == 0
    page = Page(out.read_text(encoding="utf-8"))
    assert {"Crew", "Female", "Yes"} <= set(page.texts("th"))
    assert run(MODEL, "--json", named, "--labels", ",,,", "-o", out) == 0
    assert "Crew" not in Page(out.read_text(encoding="utf-8")).texts("th")


def test_json_of_another_run_is_refused(tmp_path, capsys):
    record = json.loads(pathlib.Path(RECORD).read_text())
    other = tmp_path / "other.json"

    def refused(**changed):
        other.write_text(json.dumps({**record, **changed}))
        assert run(MODEL, "--json", other, "-o", "-") == 2
        told = capsys.readouterr()
        assert str(other) in told.err and MODEL in told.err and told.out == ""
        return told.err

    ucb = {**record["tensor"], "dimensions": [2, 2, 6]}
    assert "a run on 2 x 2 x 6, but" in refused(tensor=ucb)
    first, second, third = record["weights"]
    message = refused(weights=[first, second * (1 + 1e-5), third])
    assert "the run of another model than" in message and "1090.601 447.7066 171.1311" in message
    assert "another model" in refused(weights=[first, None, third])
    other.write_text(json.dumps({**record, "weights": [first, second * (1 + 1e-8), third]}))
    assert run(MODEL, "--json", other, "-o", "-") == 0


def test_columns_that_the_run_did_not_have(tmp_path, capsys):
    genten = pytest.importorskip("genten")
    table, out = tmp_path / "t.csv", tmp_path / "r.html"
    table.write_text("day,user,item,n,note\n5,ann,tea,2,x\n9,bob,milk,1,y\n7,ann,milk,3,z\n")
    X = genten.read(table, values="n", modes=["user", "item"])
    genten.cp(X, 1).model.save(tmp_path / "m.gkt")
    given = [tmp_path / "m.gkt", "--tensor", table, "-o", out]
    assert main([*map(str, given), "--values", "n"]) == 0
    told = capsys.readouterr().err
    assert told == f"genten report: note: {table}: columns day, note are not used\n"
    assert "2 x 2" in out.read_text(encoding="utf-8").replace("×", "x")
    # The model's file knows the column of the values; without it nobody does.
    assert main([*map(str, given)]) == 0 and capsys.readouterr().err == told
    table.write_text(table.read_text().replace(",n,", ",many,"))
    assert main([*map(str, given)]) == 3
    assert "--values NAME says here which column" in capsys.readouterr().err
    pandas, _ = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    pandas.read_csv(table).rename(columns={"many": "n"}).to_parquet(tmp_path / "t.parquet")
    given[2] = tmp_path / "t.parquet"
    assert main([*map(str, given), "--values", "n"]) == 0


def test_ids_beside_a_compact_model_are_no_long_mode(tmp_path, capsys):
    genten = pytest.importorskip("genten")
    table = tmp_path / "t.csv"
    table.write_text("customer,item,n\n70000000,tea,2\n90000000,milk,1\n70000000,milk,3\n")
    with pytest.warns(UserWarning, match="90000001 long"):
        X = genten.read(table, values="n").compact()
    genten.cp(X, 1).model.save(tmp_path / "m.gkt")
    given = [tmp_path / "m.gkt", "--tensor", table, "-o", tmp_path / "r.html"]
    assert main(list(map(str, given))) == 0
    assert capsys.readouterr().err == ""


@pytest.fixture
def of_counts(tmp_path):
    """A model of a table, and the command that reads this table beside it."""
    genten = pytest.importorskip("genten")
    (tmp_path / "t.csv").write_text("user,week,count\nann,0,2\nbob,1,1\nann,1,3\n")
    X = genten.read(tmp_path / "t.csv", values="count")
    genten.cp(X, 1, seed=1).model.save(tmp_path / "m.gkt")
    words = [tmp_path / "m.gkt", "--tensor", tmp_path / "t.csv", "-o", tmp_path / "r.html"]
    return list(map(str, words))


@pytest.mark.parametrize(
    "name, near", [("cuont", "; did you mean 'count'?"), ("week", ""), ("user", "")]
)
def test_values_that_are_no_column_left_are_refused(of_counts, name, near, capsys):
    assert main([*of_counts, "--values", name]) == 2
    said = f"--values: {of_counts[2]}: expected one of the columns that are no modes, ['count'], "
    assert f"{said}got '{name}'{near}\n" in capsys.readouterr().err
    assert main([*of_counts, "--values", "count"]) == 0


def test_modes_are_the_models_in_their_order(of_counts, tmp_path, capsys):
    assert main(of_counts) == 0
    page = (tmp_path / "r.html").read_text(encoding="utf-8")

    def same(columns, *options):
        (tmp_path / "t.csv").write_text(f"{columns}\nann,0,2\nbob,1,1\nann,1,3\n")
        assert main([*of_counts, *options]) == 0
        shown = (tmp_path / "r.html").read_text(encoding="utf-8")
        return [Page(each).texts("td") for each in (page, shown)]

    # Columns of other names by their places, those of the same names by these.
    for options in (("--modes", "who,when"), ("--modes", "who,when", "--values", "count")):
        one, other = same("who,when,count", *options)
        assert one == other, options
    one, other = same("user,week,count", "--modes", "week,user")
    assert one == other and capsys.readouterr().err == ""
    # Of values in a column that the run did not have nobody has said that they are meant.
    one, other = same("who,when,stars", "--modes", "who,when")
    assert one != other
    assert "column stars is not used, and each row counts as 1: --values" in capsys.readouterr().err
    for modes, said in (
        ("week,when", "--modes: column 'week' is given for mode 'user': expected the columns of"),
        ("who", "--modes: expected 2, as the model has, got 1"),
        ("who,,when", "--modes: expected 2, as the model has, got 3"),
        ("who,then", "expected a table with the columns ['who', 'then'], got ['who', 'when',"),
    ):
        assert main([*of_counts, "--modes", modes]) in (2, 3)
        assert said in capsys.readouterr().err


def test_messages_are_those_of_a_command_line(of_counts, tmp_path, capsys):
    def told(*options, code=2):
        assert main([*of_counts, *map(str, options)]) == code
        return capsys.readouterr().err

    (tmp_path / "gone.csv").write_text("user,week\ncarl,1\n")
    gone = told("--missing", tmp_path / "gone.csv")
    assert gone == "genten report: --missing: mode 1 (user): no row is called 'carl'\n"
    assert "report: --missing: expected 'unlisted'" in told("--missing", "unlisted2")
    assert "report: --top: expected at least 1" in told("--top", 0)
    assert "report: --mode-names: expected 2 names, got 1" in told("--mode-names", "a")
    refused = told("--duplicates", "most")
    assert "report: --duplicates: expected one of" in refused and "--values" not in refused
    with pytest.raises(SystemExit, match="2"):
        main([*of_counts, "--index-base", "3"])
    assert "argument --index-base: invalid choice: '3' (choose from" in capsys.readouterr().err
    (tmp_path / "t.csv").write_text("user,week,count\ncarl,0,2\n")
    assert "the tensor: mode 1 (user): no row is called 'carl'" in told()
    # Of lines of files modes count from 1 anyway.
    of_file = OSError("gone.tns:1: subscript 9 in mode 2 is out of range")
    assert in_options(str(of_file), of_file=True) == str(of_file)


def test_warnings_are_those_of_a_command_line(tmp_path, monkeypatch, capsys):
    genten = pytest.importorskip("genten")
    monkeypatch.chdir(tmp_path)
    pathlib.Path("x.tns").write_text("1 1 2\n2 2 1\n1 2 3\n")
    genten.cp(genten.read("x.tns"), 1, seed=1).model.save("m.gkt")
    words = ["m.gkt", "--tensor", "t.csv", "--modes", "a,b", "--values", "n", "-o", "r.html"]
    pathlib.Path("t.csv").write_text("a,b,n\n0,0,2\n1,1,1\n0,1,3\n")
    with pytest.warns(UserWarning, match="numbers count from 0 in tables") as caught:
        assert main(words) == 0
    text = in_options(str(caught[0].message))
    option = re.search(r"--index-base 1\b", text)[0].split()
    pathlib.Path("t.csv").write_text("a,b,n\n1,1,2\n2,2,1\n1,2,3\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert main([*words, *option]) == 0
    assert in_options("mode 0 and 'mode 0', missing='unlisted'") == (
        "mode 1 and 'mode 0', --missing unlisted"
    )
    of_names = "the tensor: mode 0 (a (mode 2)): no row of mode 1 (mode 2) is \"it's mode 3\""
    told = "the tensor: mode 1 (a (mode 2)): no row of mode 2 is \"it's mode 3\""
    assert in_options(of_names) == told
    assert in_options("mode 0 (it's): mode 1") == "mode 1 (it's): mode 2"
    assert in_options("genten.cp(X, missing='unlisted')") == "genten.cp(X, missing='unlisted')"


def test_a_model_is_read_once(tmp_path):
    genten = pytest.importorskip("genten")
    (tmp_path / "t.csv").write_text("user,item,n\nann,tea,2\nbob,milk,1\n")
    X = genten.read(tmp_path / "t.csv", values="n")
    genten.cp(X, 1).model.save(tmp_path / "m.gkt")
    genten.cp(X, 1, seed=5).model.save(tmp_path / "other.gkt")
    (tmp_path / "other.gkt.labels.json").replace(tmp_path / "m.gkt.labels.json")
    given = [tmp_path / "m.gkt", "--tensor", tmp_path / "t.csv", "--values", "n"]
    given += ["-o", tmp_path / "r.html"]
    for more in ((), ("--mode-names", "a,b")):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            main([*map(str, given), *more])
        assert sum("labels.json is not used" in str(each.message) for each in caught) == 1


def test_wrong_usage_is_told_by_argparse(capsys):
    with pytest.raises(SystemExit) as ended:
        run(MODEL)
    told = capsys.readouterr().err
    assert ended.value.code == 2 and "-o/--output; as in python -m genten report " in told
    way = told.split("; as in python -m genten report ")[1].split()
    given = parser().parse_args(way)
    assert (given.model, given.tensor, given.output) == ("model.gkt", "data.csv", "report.html")


def test_help_lists_every_option():
    text = parser().format_help()
    for option in ("--json", "--tensor", "--labels", "--mode-names", "--title", "--top"):
        assert option in text


def test_the_command_again_is_what_a_shell_takes():
    options = {
        "rank": 4, "max_iterations": 7, "tolerance": 1e-5, "time_limit": 0.0, "seed": 2,
        "starts": 1, "init": "a b.ktensor", "mode_order": [2, 1], "fixed_modes": [],
        "memory_available": 5.0, "kernel": "auto", "precision": "float",
    }  # fmt: skip
    words = shlex.split(tool_command(options, "my; data.tns", index_base=0))
    assert words == [
        "genten", "decompose", "my; data.tns", "--index-base", "0", "--init", "a b.ktensor",
        "--max-iterations", "7", "--tolerance", "1e-05", "--mode-order",
        "2,1", "--kernel", "auto", "--precision", "float",
    ]  # fmt: skip
    scope: dict = {}
    lines = python_lines({"rank": 4, "seed": 2}, 'a"b.tns').splitlines()
    exec(lines[1].replace("genten.read", ""), scope)
    assert scope["X"] == 'a"b.tns' and lines[2] == "r = genten.cp(X, 4, seed=2)"


def test_the_base_of_subscripts_is_given_once():
    options = {"rank": 2, "index_base": 0}
    assert tool_command(options, "x.tns", 0) == "genten decompose x.tns --rank 2 --index-base 0"
    assert tool_command({"rank": 2}, "x.tns", 0) == "genten decompose x.tns --index-base 0 --rank 2"
