"""``python -m kibitz``: the same as ``kibitz``."""

import sys

from kibitz.start import main

if __name__ == "__main__":
    sys.exit(main())
