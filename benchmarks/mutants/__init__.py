"""Do the tests notice wrong code?  ``make mutants`` changes one thing at a time and runs the tests concerned.

change      one small edit of a module that alters what it does: another operator, number, branch or order
area        the modules that are sampled together, such as the games' rules or the arena
noticed     a test fails or hangs with the change and passes without it
equivalent  a change that alters nothing anybody can see; known ones stand in ``equivalent.txt`` with the reason

changes     all changes of a source text
concerned   the tests that a module's change should fail
trials      a copy of the tree in which changes are made and tests run
"""
