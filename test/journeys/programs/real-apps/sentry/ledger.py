"""The ledger of a shop, which refuses every charge: http.server and the SDK for Python."""

import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import sentry_sdk

sentry_sdk.init(
    dsn=os.environ["SENTRY_DSN"],
    release="ledger@2.0.0",
    environment="production",
    traces_sample_rate=1.0,
    profiles_sample_rate=1.0,
    enable_logs=True,
)


class CardDeclined(Exception):
    pass


class Ledger(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
        with sentry_sdk.isolation_scope():
            transaction = sentry_sdk.continue_trace(
                dict(self.headers.items()), op="http.server", name=f"POST {self.path}", source="url"
            )
            with sentry_sdk.start_transaction(transaction):
                try:
                    charge(body["total"])
                    status = 201
                except CardDeclined as error:
                    sentry_sdk.capture_exception(error)
                    status = 500
                transaction.set_http_status(status)
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def charge(total):
    sentry_sdk.logger.info("charging {total}", total=total)
    with sentry_sdk.start_span(op="function", name="check_balance"):
        check_balance()
    with sentry_sdk.start_span(op="function", name="ask_bank"):
        raise CardDeclined(f"the card was declined for {total}")


def check_balance():
    """Busy for long enough that a profiler sees it."""
    deadline = time.monotonic() + 0.15
    while time.monotonic() < deadline:
        sum(range(1000))


ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Ledger).serve_forever()
