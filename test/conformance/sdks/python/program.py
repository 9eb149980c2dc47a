"""Everything that the SDK for Python sends by its own means, once."""

import os
import time

import sentry_sdk
from sentry_sdk.crons import monitor

sentry_sdk.init(
    dsn=os.environ["SENTRY_DSN"],
    release="conformance-python@1.0.0",
    environment="conformance",
    traces_sample_rate=1.0,
    profile_session_sample_rate=1.0,
    profile_lifecycle="trace",
    enable_logs=True,
    send_default_pii=True,
)

scope = sentry_sdk.get_isolation_scope()
scope.start_session()
scope.add_attachment(bytes=b"attached by Python", filename="notes.txt", content_type="text/plain")
scope.set_user({"id": "7", "email": "ada@example.com"})

with sentry_sdk.start_transaction(name="GET /ledger", op="http.server"):
    with sentry_sdk.start_span(op="db.query", name="SELECT 1"):
        deadline = time.time() + 0.3
        while time.time() < deadline:
            sum(range(1000))
    try:
        {}["missing"]
    except KeyError:
        sentry_sdk.capture_exception()

sentry_sdk.capture_message("A message of Python", level="warning")
sentry_sdk.logger.info("A log of {name}", name="Python", attributes={"attempt": 3})
if hasattr(sentry_sdk, "metrics"):
    sentry_sdk.metrics.count("orders", 2)


@monitor(monitor_slug="nightly", monitor_config={"schedule": {"type": "crontab", "value": "0 3 * * *"}})
def nightly():
    return 1


nightly()
scope.end_session()
sentry_sdk.flush(timeout=20)
