"""Set up all tests: Hypothesis has no deadline, and in CI it tries the same examples every time.

The user's data folder is a temporary one.

A shell's background jobs ignore Ctrl-C, and ``nohup`` ignores hang-ups; processes started by tests must not inherit
that.

``parts`` describes the options for long tests, ``passed`` how a stopped run is resumed.
"""

import gc
import os
import signal
import tempfile

import pytest
from _pytest.nodeid import NodeId
from hypothesis import HealthCheck, settings

from kibitz.players import compiling
from tests.parts import Minutes, Options, Shard, parse_shard
from tests.passed import Passed

settings.register_profile("local", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("local"), derandomize=True)
PROFILE = "ci" if os.environ.get("CI") else "local"
settings.register_profile("fast", settings.get_profile(PROFILE), max_examples=30)

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # processes started by tests share compiled code
os.environ.pop("COLUMNS", None)  # pytest-xdist sets it, and output would be wrapped
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
compiling.compile_later = lambda name: None  # tests compile what they need when they need it
DATA = tempfile.TemporaryDirectory(prefix="kibitz-tests-")
os.environ["XDG_DATA_HOME"] = DATA.name


def pytest_addoption(parser):
    """Add the options for long tests."""
    group = parser.getgroup("kibitz")
    group.addoption("--shard", metavar="K/N", help="run only the K-th of N parts of the test files, K from 1")
    group.addoption("--minutes", type=float, metavar="M", help="start no test after M minutes")
    group.addoption("--sample", type=int, default=0, metavar="N", help="sample that long tests take (default: 0)")
    group.addoption("--exhaustive", action="store_true", help="run everything instead of samples: takes days")
    group.addoption("--go-on", action="store_true", help="skip tests that have passed with the same code")


def pytest_configure(config):
    """Set the options of ``parts`` and the number of examples before any test is collected."""
    settings.load_profile(PROFILE if config.getoption("markexpr") == "long" else "fast")
    gc.disable()  # until all tests are collected: collecting makes no garbage
    Options.exhaustive, Options.sample = config.getoption("exhaustive"), config.getoption("sample")
    if shard := config.getoption("shard"):
        config.pluginmanager.register(Shard(*parse_shard(shard)), "kibitz-shard")
    if minutes := config.getoption("minutes"):
        end = getattr(config, "workerinput", {}).get("end")
        config.pluginmanager.register(Minutes(minutes, end), "kibitz-minutes")
    if config.getoption("go_on") or config.getoption("markexpr") == "long":
        config.pluginmanager.register(Passed(config), "kibitz-passed")


@pytest.hookimpl(wrapper=True)
def pytest_collect_file():
    """Collect doctests from code and documentation only: some files beside the tests are programs."""
    return [each for each in (yield) if type(each) is pytest.Module]


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node):
    """Send a new worker process the tests that have passed."""
    if passed := node.config.pluginmanager.get_plugin("kibitz-passed"):
        passed.send_to(node)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_finish(session):
    """Send tests of one ``xdist_group`` to one process: their ids end with @ and the name of the group.

    xdist 3.8 writes that into an attribute that pytest 9.2 no longer reads.
    """
    gc.freeze()
    gc.enable()
    if session.config.getoption("loadgroup", False):
        for item in session.items:
            if groups := sorted({str(mark.args[0]) for mark in item.iter_markers("xdist_group")}):
                item._id = NodeId.parse(f"{item.nodeid}@{'_'.join(groups)}")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logreport(report):
    """Take the group off the id of a reported test, so that a later run finds the test by its name.

    Reports come from the worker processes; with "???" a worker has crashed while it ran a test.
    """
    name, _, group = report.nodeid.rpartition("@")
    if (hasattr(report, "item_index") or report.when == "???") and name and "]" not in group:
        report.nodeid = name
