"""For all tests: hypothesis measures no time, and searches the same examples again where a change is judged.

What Kibitz keeps in the user's data folder goes to one of the tests' own.

A shell's background job ignores Ctrl-C, and ``nohup`` ignores hang-ups; programs that tests start and stop must not
inherit that.

``parts`` says what the options about long tests mean, ``passed`` how a run goes on after a stop.
"""

import gc
import os
import signal
import tempfile

import pytest
from _pytest.nodeid import NodeId
from hypothesis import HealthCheck, settings

from kibitz.players import compiling
from tests.parts import Chosen, Minutes, Shard, shard
from tests.passed import Passed

settings.register_profile("local", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("local"), derandomize=True)
PROFILE = "ci" if os.environ.get("CI") else "local"
settings.register_profile("fast", settings.get_profile(PROFILE), max_examples=30)

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # processes that tests start read what the first of them has compiled
os.environ.pop("COLUMNS", None)  # processes that run tests side by side set it, and output would be folded
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
compiling.compile_later = lambda name: None  # what tests need is compiled when they need it
DATA = tempfile.TemporaryDirectory(prefix="kibitz-tests-")
os.environ["XDG_DATA_HOME"] = DATA.name


def pytest_addoption(parser):
    """The options about long tests."""
    group = parser.getgroup("kibitz")
    group.addoption("--shard", metavar="K/N", help="only the K-th of N shares of the test files, K from 1")
    group.addoption("--minutes", type=float, metavar="M", help="begin no test after M minutes")
    group.addoption("--sample", type=int, default=0, metavar="N", help="of what would take days, the N-th sample (0)")
    group.addoption("--exhaustive", action="store_true", help="what would take days in full, and not a sample of it")
    group.addoption("--go-on", action="store_true", help="leave out what has passed with this very code")


def pytest_configure(config):
    """Set what ``parts`` answers by, and how many examples a test has, before any test is collected."""
    settings.load_profile(PROFILE if config.getoption("markexpr") == "long" else "fast")
    gc.disable()  # until all tests are collected: nothing of what is made there is garbage
    Chosen.exhaustive, Chosen.sample = config.getoption("exhaustive"), config.getoption("sample")
    if given := config.getoption("shard"):
        config.pluginmanager.register(Shard(*shard(given)), "kibitz-shard")
    if minutes := config.getoption("minutes"):
        end = getattr(config, "workerinput", {}).get("end")
        config.pluginmanager.register(Minutes(minutes, end), "kibitz-minutes")
    if config.getoption("go_on") or config.getoption("markexpr") == "long":
        config.pluginmanager.register(Passed(config), "kibitz-passed")


@pytest.hookimpl(wrapper=True)
def pytest_collect_file():
    """Examples are looked for in code and documentation only: some files beside the tests are programs."""
    return [each for each in (yield) if type(each) is pytest.Module]


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node):
    """A process that tests are run in begins."""
    if passed := node.config.pluginmanager.get_plugin("kibitz-passed"):
        passed.tell(node)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_finish(session):
    """Tests of one ``xdist_group`` go to one process: it is told by what follows an @ at the end of their names.

    xdist 3.8 writes that into an attribute in which pytest 9.2 no longer looks.
    """
    gc.freeze()
    gc.enable()
    if session.config.getoption("loadgroup", False):
        for item in session.items:
            if groups := sorted({str(mark.args[0]) for mark in item.iter_markers("xdist_group")}):
                item._id = NodeId.parse(f"{item.nodeid}@{'_'.join(groups)}")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logreport(report):
    """Where reports are told and kept, a test has its own name, by which a later run finds it.

    Reports come from the tests' processes; at "???" one has ended while it ran a test.
    """
    name, _, group = report.nodeid.rpartition("@")
    if (hasattr(report, "item_index") or report.when == "???") and name and "]" not in group:
        report.nodeid = name
