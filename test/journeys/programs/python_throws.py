"""Debian's own SDK for Python: prints the id of the event that it sends."""

import sys

import sentry_sdk

sentry_sdk.init(dsn=sys.argv[1], release="billing@0.9.1", environment="staging")
sentry_sdk.add_breadcrumb(category="invoice", message="opened the ledger", level="info")


def total_of(invoice):
    currency = "EUR"
    return sum(line["amount"] for line in invoice["lines"]), currency


try:
    total_of({"number": 12})
except KeyError:
    print(sentry_sdk.capture_exception())

sentry_sdk.flush(timeout=10)
