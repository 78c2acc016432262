"""Do the tests notice wrong code?  ``make mutants`` makes one change at a time and runs the tests concerned.

change      one small edit of a module that alters its behaviour: another operator, number, branch or order
area        the modules that are sampled together, such as the games' rules or the arena
noticed     a test fails or hangs with the change and passes without it
equivalent  a change with no visible effect; known ones are listed in ``equivalent.txt`` with the reason

Modules:

changes     finds all changes of a source text
concerned   finds the tests that should fail when a module is changed
notes       records which test runs which function
plugin      a plugin for pytest that records this, or runs chosen tests
trials      makes changes in a copy of the tree and runs tests there
"""
