"""Optional packages of environments are loaded only on use, and a missing one is reported."""

import subprocess
import sys

import pytest

NEEDED = {
    "aec": ("pettingzoo", "environments"),
    "raw": ("pettingzoo", "environments"),
    "parallel": ("pettingzoo", "environments"),
    "single": ("gymnasium", "environments"),
    "vector": ("gymnasium", "environments"),
}


def python(code):
    """The output of a new Python process."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_optional_packages_are_loaded_only_on_use():
    heavy = "('numpy', 'numba', 'gymnasium', 'pettingzoo', 'pyspiel', 'PIL')"
    code = f"import sys, kibitz, kibitz.environments; print([name for name in {heavy} if name in sys.modules])"
    assert python(code) == "[]"


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


@pytest.mark.parametrize(("name", "package"), [(name, package) for name, (package, _) in NEEDED.items()])
def test_a_missing_package_is_reported_with_the_install_command(name, package):
    code = f"""
import sys
sys.modules["{package}"] = None
import kibitz.environments
try:
    kibitz.environments.{name}
except ImportError as error:
    print(error)
"""
    assert f"pip install 'kibitz[{NEEDED[name][1]}]'" in python(code)


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
