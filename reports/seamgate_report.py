"""Runs the package `seamgate_report` beside this file: python3 reports/seamgate_report.py decide DIR."""

import sys

from seamgate_report.cli import main

if __name__ == "__main__":
    sys.exit(main())
