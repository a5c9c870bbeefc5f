"""Every benchmark runs, and the page has the figures that they give. How fast anything is, is no test."""

import json
import re
import subprocess
import sys

import pytest

from benchmarks import between, page, rates, reference, run
from benchmarks.figures import Curve, Figure, LeftOut, Spread, as_data, from_data
from benchmarks.peers import PEERS
from benchmarks.plots import PLOTS, drawn
from benchmarks.timing import Claim, Effort, Race, grown
from tests.packages import ROOT

QUICK = Effort(quick=True)

FRAMES = {
    "mail.receive, signed": (79, 19),
    "mail.reply": (81, 22),
    "activitypub.receive, signed": (100, 25),
    "prompt.render": (98, 28),
    "a2a.receive": (48, 18),
    "a2a.reply": (64, 19),
    "anp.decide Submit": (19, 10),
}
"""The functions and files that a message may go through: what a reader must know to follow it."""


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """What everything gives when it is run once with small units, in one process."""
    data = tmp_path_factory.mktemp("benchmarks") / "results.json"
    command = [sys.executable, "benchmarks/run.py", "--quick", "--json", str(data)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [from_data(one) for one in json.loads(data.read_text())]


def named(results):
    """Group → what was measured against what."""
    groups = {}
    for one in results:
        if not isinstance(one, Curve):
            groups.setdefault(one.group, []).append((one.name, one.against))
    return groups


def test_the_runner_knows_every_file_of_the_folder():
    files = {path.stem for path in (ROOT / "benchmarks").glob("*.py")}
    assert files == {*run.SCRIPTS, *run.OPTIONAL, *run.HELPERS}


def test_the_tables_of_the_page_are_those_of_the_benchmarks(results):
    tables = page.names_on(page.PAGE.read_text())
    ours = {group: rows for group, rows in tables.items() if group not in run.OPTIONAL}
    assert ours == named(results), "benchmarks/run.py --write writes the page anew"


def test_two_versions_are_measured_in_turns_and_compared(monkeypatch, capsys):
    asked = []

    def measured(tree, rounds):
        asked.append(tree.name)
        return {"Create": [2e-6 / len(asked), 1e-6]}

    monkeypatch.setattr(between, "measured", measured)
    monkeypatch.setattr(between, "unpacked", lambda revision, folder: folder)
    between.main(["v1"])
    assert asked == ["v1", page.ROOT.name] * between.TURNS
    assert capsys.readouterr().out.splitlines()[1].split() == ["Create", "0.4", "0.40", "0.3", "0.33", "0.833"]


def test_no_row_of_a_table_stands_there_twice(results):
    for group, rows in named(results).items():
        assert len(set(rows)) == len(rows), group


def test_the_page_has_a_place_for_everything_and_keeps_its_prose(results):
    text = page.PAGE.read_text()
    filled = page.filled(text, results)
    assert {group: rows for group, rows in page.names_on(filled).items() if group not in run.OPTIONAL} == named(results)
    assert without_tables(filled) == without_tables(text)


def without_tables(text):
    return re.sub(r"(?ms)^<!-- ([\w-]+) -->$.*?^<!-- /\1 -->$", "", text)


def test_the_page_shows_every_plot(results):
    plots = dict.fromkeys(one.plot for one in results if isinstance(one, Curve))
    assert set(plots) == set(PLOTS)
    for name in plots:
        assert f"(images/{name}.svg)" in page.PAGE.read_text()
        assert (page.IMAGES / f"{name}.svg").exists()
    assert set(page.plots(results)) == {page.IMAGES / f"{name}.svg" for name in (*plots, "rates")}


def test_the_first_plot_shows_every_unit_and_who_reads_it(results):
    units = rates.dots(results)
    assert list(units) == [title for title, _, _ in rates.UNITS]
    for title, lines in units.items():
        assert rates.OURS in [dot.name for dot in lines]
        assert lines == sorted(lines, key=lambda dot: -dot.rate)
        assert f">{title}</text>" in rates.drawn(results)
    assert "(images/rates.svg)" in page.PAGE.read_text().partition("\n## ")[0]


def test_every_peer_is_described_and_compared_with(results):
    against = {one.against for one in results if not isinstance(one, Curve)}
    assert set(PEERS) <= against
    text = page.PAGE.read_text()
    for name, peer in PEERS.items():
        assert f"| {name} |" in text
        assert f"| {peer.does} | {peer.lacks} |" in text


def test_results_are_the_same_after_they_were_written_as_data(results):
    assert [from_data(json.loads(json.dumps(as_data(one)))) for one in results] == results


def test_a_race_leaves_out_what_is_not_installed():
    race = Race("g", {"ours": lambda: None, "peer": None}, (Claim("ours", "peer"), Claim("ours", "ours")))
    missing, found = race.run(QUICK)
    assert missing == LeftOut(group="g", name="ours", against="peer")
    assert isinstance(found, Figure)
    assert found.ratio == 1
    assert "left out: peer is not at hand" in page.printed(missing)
    assert page.table([missing]).splitlines()[2] == "| ours | | peer | not at hand | | | |"


def figure(**members):
    facts = {"group": "g", "name": "n", "ours": 3.0, "against": "a", "base": 1.0, "spread": Spread(2, 3, 4)}
    return Figure(**{**facts, **members})


def test_a_figure_says_when_it_is_beyond_a_bound():
    assert figure().problem is None
    assert figure(bound=3.0).problem is None
    assert figure(bound=2.9).problem == "g, n: 3.00 × a, the bound is 2.90"
    assert figure(least=4).problem == "g, n: 3.00 × a, at least 4.00 is wanted"
    assert figure(ours=8, doublings=3).ratio == pytest.approx(2)


def test_what_grows_with_the_square_is_beyond_the_bound():
    def squared(size):
        return lambda: [number for number in range(size) for _ in range(size)]

    found, curve = grown("g", "plot", "n", {size: squared(size) for size in (40, 80, 160, 320)}, Effort(rounds=3))
    assert found.problem
    assert [size for size, _ in curve.points] == [40, 80, 160, 320]


def test_a_plot_is_one_document_with_a_line_and_a_name_for_each_curve():
    curves = [Curve(plot="scaling-size", name=f"<{n}>", points=((1, 1e-5), (2, n * 1e-4))) for n in (1, 2)]
    for plot in PLOTS.values():
        drawing = drawn(plot, curves)
        assert drawing.count("<polyline") == 2
        assert "&lt;2&gt;" in drawing
        assert "prefers-color-scheme:dark" in drawing


def test_the_runner_refuses_what_it_does_not_know():
    for arguments in (["nothing"], ["--write", "a2a"], ["--write", "--quick"]):
        with pytest.raises(SystemExit):
            run.main(arguments)


def test_no_message_goes_through_more_functions_or_files_than_before():
    command = [sys.executable, "benchmarks/frames.py"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    rows = re.findall(r"(?m)^(\S.*?) +(\d+) +(\d+)$", done.stdout)
    counted = {name: (int(functions), int(files)) for name, functions, files in rows}
    assert counted.keys() == FRAMES.keys()
    assert {name for name, counts in counted.items() if any(map(int.__gt__, counts, FRAMES[name]))} == set()


def test_a_bound_counts_for_this_machine_as_much_more_as_its_version_takes_here(monkeypatch, tmp_path, capsys):
    row = ("g", "n", "a")
    page_then = (
        f"<!-- g -->\n{page.HEAD}\n{'| --- ' * 7}|\n| n | 4 µs | a | 2 µs | 2 | 2 (2 to 3) | 2.5 |\n<!-- /g -->\n"
    )
    assert page.ratios_on(page_then) == {row: 2.0}

    def unpacked(revision, folder):
        assert revision == reference.REVISION
        for name, text in (("benchmarks/known.py", ""), ("docs/performance.md", page_then)):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
        return folder

    monkeypatch.setattr(reference, "unpacked", unpacked)
    monkeypatch.setattr(reference, "measured", lambda tree, script: [figure(ours=2.4)])
    over, far, fine, new = figure(bound=2.8), figure(bound=2.4), figure(bound=3), figure(name="new", bound=2)
    found = reference.with_bounds_of_here("known", [over, far, fine, new], again=list)
    assert [one.problem for one in found] == [
        None,
        "g, n: 3.00 × a, the bound is 2.40, 2.88 on this machine",
        None,
        "g, new: 3.00 × a, the bound is 2.00",
    ]
    assert "| 2.8 (3.36 here) |" in page.table(found)
    assert reference.with_bounds_of_here("unknown", [over], again=list) == [over]
    assert "known, over its bounds" in capsys.readouterr().out
    monkeypatch.setattr(reference, "unpacked", None)
    assert reference.with_bounds_of_here("known", [fine], again=list) == [fine]


def test_both_versions_are_measured_again_while_a_figure_is_over_its_bound(monkeypatch):
    monkeypatch.setattr(reference, "unpacked", lambda revision, folder: folder)
    monkeypatch.setattr(reference.Path, "exists", lambda _: True)
    monkeypatch.setattr(reference.Path, "read_text", lambda _: "")
    monkeypatch.setattr(reference.page, "ratios_on", lambda _: {("g", "n", "a"): 2.0})
    there, ours = iter([2.2, 2.1]), iter([2.5])
    monkeypatch.setattr(reference, "measured", lambda *_: [figure(ours=next(there))])
    again = lambda: [figure(ours=next(ours))]  # noqa: E731
    (found,) = reference.with_bounds_of_here("known", [figure(bound=2.4)], again)
    assert (found.ours, found.scale, found.is_over) == (2.5, 1.05, False)
    there, ours = iter([2.0] * 4), iter([2.9, 2.8, 3.5])
    (found,) = reference.with_bounds_of_here("known", [figure(bound=2.4)], again)
    assert (found.ours, found.is_over) == (2.8, True)
    assert next(there, None) is next(ours, None) is None


@pytest.mark.parametrize("step", ["unpacked", "measured"])
def test_bounds_stand_where_their_version_is_not_at_hand_or_fails(step, monkeypatch, capsys):
    def unpacked(revision, folder):
        for name in ("benchmarks/known.py", "docs/performance.md"):
            (folder / name).parent.mkdir(parents=True)
            (folder / name).touch()
        return folder

    def failing(*_):
        raise subprocess.CalledProcessError(128, ["a", "program"])

    monkeypatch.setattr(reference, "unpacked", unpacked)
    monkeypatch.setattr(reference, step, failing)
    over = figure(bound=2.5)
    assert reference.with_bounds_of_here("known", [over], again=list) == [over]
    said = capsys.readouterr().out.splitlines()[-1]
    assert said.startswith("Bounds are taken as they stand, without 7ea326ed: Command")


def test_no_bound_becomes_smaller_on_another_machine():
    row = ("g", "n", "a")
    assert reference.scaled(figure(bound=2.9), {row: 1.0}, {row: 2.0}).scale == 1


def test_rows_that_were_renamed_are_those_of_the_page():
    rows = {(group, name) for group, rows in page.names_on(page.PAGE.read_text()).items() for name, _ in rows}
    assert set(reference.RENAMED) <= rows


def test_the_version_of_the_bounds_is_measured_by_its_own_script(tmp_path):
    script = tmp_path / "benchmarks" / "run.py"
    script.parent.mkdir()
    script.write_text(
        "import sys\n"
        "name, _, path = sys.argv[1:]\n"
        f"open(path, 'w').write({json.dumps([as_data(figure(ours=6.0, base=2.0))])!r})\n"
    )
    assert [one.ratio for one in reference.measured(tmp_path, "known")] == [3.0]
