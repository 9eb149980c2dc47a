"""A Celery app whose beat runs one task each minute, and a script with a decorated job that runs for as long as it is told."""

import os
import sys
import time

import sentry_sdk
from celery import Celery
from sentry_sdk.crons import monitor
from sentry_sdk.integrations.celery import CeleryIntegration

sentry_sdk.init(
    dsn=os.environ["SENTRY_DSN"],
    environment="production",
    integrations=[CeleryIntegration(monitor_beat_tasks=True)],
)

folder = os.environ["JOBS_FOLDER"]
app = Celery("celery_jobs", broker="filesystem://")
app.conf.broker_transport_options = {
    "data_folder_in": f"{folder}/queue",
    "data_folder_out": f"{folder}/queue",
    "control_folder": f"{folder}/control",
}
app.conf.beat_schedule = {os.environ["BEAT_MONITOR"]: {"task": "celery_jobs.tidy", "schedule": 60.0}}


@app.task
def tidy():
    if os.path.exists(f"{folder}/broken"):
        raise RuntimeError("The disk is full")


@monitor(
    monitor_slug=os.environ["SLOW_MONITOR"],
    monitor_config={"schedule": {"type": "interval", "value": 1, "unit": "hour"}, "max_runtime": 1},
)
def export(seconds):
    sentry_sdk.flush()
    time.sleep(seconds)


if __name__ == "__main__":
    export(float(sys.argv[1]))
    sentry_sdk.flush()
