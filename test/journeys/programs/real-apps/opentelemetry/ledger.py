"""The ledger of a shop, which refuses every charge: http.server and the OpenTelemetry SDK for Python."""

import json
import logging
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from opentelemetry import trace
from opentelemetry._logs import set_logger_provider
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.propagate import extract
from opentelemetry.sdk._logs import LoggerProvider, LoggingHandler
from opentelemetry.sdk._logs.export import SimpleLogRecordProcessor
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor

# Where to, and as what, comes from OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS, OTEL_SERVICE_NAME.
spans = TracerProvider()
spans.add_span_processor(SimpleSpanProcessor(OTLPSpanExporter()))
trace.set_tracer_provider(spans)
lines = LoggerProvider()
lines.add_log_record_processor(SimpleLogRecordProcessor(OTLPLogExporter()))
set_logger_provider(lines)
log = logging.getLogger("ledger")
log.addHandler(LoggingHandler(logger_provider=lines))
tracer = trace.get_tracer("ledger")


class CardDeclined(Exception):
    pass


class Ledger(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
        with tracer.start_as_current_span(
            "POST /charges",
            context=extract(dict(self.headers.items())),
            kind=trace.SpanKind.SERVER,
            attributes={"http.request.method": "POST", "url.path": self.path, "http.route": "/charges"},
        ) as span:
            try:
                charge(body["total"])
                status = 201
            except CardDeclined:
                log.exception("could not charge")
                status = 500
            span.set_attribute("http.response.status_code", status)
            if status == 500:
                span.set_status(trace.StatusCode.ERROR)
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def charge(total):
    with tracer.start_as_current_span("ask_bank"):
        raise CardDeclined(f"the card was declined for {total}")


ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Ledger).serve_forever()
