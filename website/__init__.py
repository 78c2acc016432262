"""The documentation site: the pages of ``docs`` with what the code adds to them (``make docs``).

page        a file of Markdown in ``docs``; it can be read as it is, and nothing of the site is written into it
staged      what Zensical is given: pages whose links stay in the site, the rules of every game, the reference
hardened    what a browser is given: no script or style in a page, no address of another host that is loaded
example     a block of a page that a test runs: Python by doctest, commands by ``consoles``
"""
