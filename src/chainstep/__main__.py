"""`python -m chainstep`: the command line."""

import sys

from chainstep.cli import main

if __name__ == "__main__":
    sys.exit(main())
