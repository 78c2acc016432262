"""How the package's modules import one another; the layers themselves are in pyproject.toml (``make check``)."""

from graphlib import TopologicalSorter

import grimp


def test_no_module_imports_itself_through_others():
    """Not even within a function: CycleError names a circle."""
    graph = grimp.build_graph("kibitz", exclude_type_checking_imports=True, cache_dir=None)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    assert len(imports) > 200
    TopologicalSorter(imports).prepare()
