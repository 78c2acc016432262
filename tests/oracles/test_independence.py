"""Oracles import nothing from Kibitz, since an oracle that uses the code it checks would always agree with it."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SIDE_BY_SIDE = {"bo_lockstep.py", "open_spiel.py"}
"""Not oracles: they drive Kibitz together with an oracle or another program."""
ORACLES = [
    path
    for folder in ("tests/oracles", "benchmarks/peers")
    for path in sorted((ROOT / folder).glob("[!_]*.py"))
    if not path.name.startswith("test_") and path.name not in SIDE_BY_SIDE
]


@pytest.mark.parametrize("path", ORACLES, ids=lambda path: path.name)
def test_an_oracle_imports_nothing_from_kibitz(path):
    imported = [
        name
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in [getattr(node, "module", None) or "", *(alias.name for alias in node.names)]
    ]
    assert not [name for name in imported if name.partition(".")[0] == "kibitz"]
