"""For all tests: hypothesis measures no time, and searches the same examples again where a change is judged.

What Kibitz keeps in the user's data folder goes to one of the tests' own.

Whoever runs the tests in the background of a shell hands on that Ctrl-C is ignored; the programs that tests start and
interrupt must not inherit that.
"""

import os
import signal
import tempfile

from hypothesis import HealthCheck, settings

settings.register_profile("local", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("local"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")

os.environ.pop("COLUMNS", None)  # processes that run tests side by side set it, and output would be folded
signal.signal(signal.SIGINT, signal.default_int_handler)
DATA = tempfile.TemporaryDirectory(prefix="kibitz-tests-")
os.environ["XDG_DATA_HOME"] = DATA.name
