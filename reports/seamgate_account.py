"""Runs the package `seamgate_account` beside this file: python3 reports/seamgate_account.py documents."""

import sys

from seamgate_account.cli import main

if __name__ == "__main__":
    sys.exit(main())
