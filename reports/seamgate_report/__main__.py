"""`python3 -m seamgate_report` is the same program as reports/seamgate_report.py."""

import sys

from seamgate_report.cli import main

sys.exit(main())
