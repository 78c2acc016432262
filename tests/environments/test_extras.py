"""Optional packages of environments are loaded only on use, and a missing one is reported."""

import subprocess
import sys


def python(code):
    """The output of a new Python process."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_optional_packages_are_loaded_only_on_use():
    code = """
import sys, kibitz, kibitz.environments
print("numpy" in sys.modules)
kibitz.features("kuhn")
print([name for name in ("numba", "gymnasium", "pettingzoo", "pyspiel", "PIL") if name in sys.modules])
"""
    assert python(code).splitlines() == ["False", "[]"]


def test_stepping_and_text_need_no_optional_packages():
    code = """
import sys
sys.modules.update(dict.fromkeys(("gymnasium", "pettingzoo", "pyspiel", "PIL")))
from kibitz.environments import Stepping, text
Stepping("kuhn").reset(1)
env = text("kuhn")
env.reset(1)
print(env.step("check").accepted)
"""
    assert python(code) == "True"


def test_missing_packages_are_reported_with_the_install_command():
    code = """
import sys
sys.modules.update(dict.fromkeys(("gymnasium", "pettingzoo")))
import kibitz.environments
for name in ("aec", "raw", "parallel", "single", "vector"):
    try:
        getattr(kibitz.environments, name)
    except ImportError as error:
        print(name, error)
"""
    told = python(code).splitlines()
    assert [line.partition(" ")[0] for line in told] == ["aec", "raw", "parallel", "single", "vector"]
    assert all("pip install 'kibitz[environments]'" in line for line in told)


def test_missing_openspiel_is_reported_with_the_install_command():
    code = """
import sys
sys.modules["pyspiel"] = None
from kibitz.environments import spiel
try:
    spiel.load("kuhn")
except ImportError as error:
    print(error)
"""
    assert python(code) == "kibitz.environments.spiel needs pyspiel: pip install 'kibitz[openspiel]'."
