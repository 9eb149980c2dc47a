import { buildEnvelope, newEventId, newSpanId } from './envelope.ts';

type SampleSpan = {
  span_id: string;
  op: string;
  description: string;
  start_timestamp: number;
  timestamp: number;
};

export type SampleTrace = {
  traceId: string;
  rootId: string;
  /** The span in which the error happened. */
  failedId: string;
  errorId: string;
  /** Everything of it, as an SDK sends it. */
  envelopes: readonly Buffer[];
};

/**
 * A checkout of 1.2 s: twelve queries of a loop, a payment that fails with an error and starts a span of its own, a
 * stretch that nothing accounts for, two lines of log and the vitals of a page.
 */
export function makeSampleTrace(name = 'POST /checkout', nowMs = Date.now()): SampleTrace {
  const began = nowMs / 1_000 - 2;
  const [traceId, rootId, payId, failedId] = [newEventId(), newSpanId(), newSpanId(), newSpanId()];
  const span = (own: string, parent: string, op: string, description: string, from: number, to: number) => ({
    trace_id: traceId,
    span_id: own,
    parent_span_id: parent,
    op,
    description,
    start_timestamp: began + from,
    timestamp: began + to,
    data: { 'server.address': 'db.example.com' },
  });
  const spans: readonly SampleSpan[] = [
    ...Array.from({ length: 12 }, (_, index) =>
      span(
        newSpanId(),
        rootId,
        'db.query',
        'SELECT price FROM articles WHERE id = $1',
        0.05 + index * 0.02,
        0.065 + index * 0.02,
      ),
    ),
    span(payId, rootId, 'function', 'chargeCard', 0.3, 0.75),
    span(failedId, payId, 'http.client', 'POST https://pay.example.com/charges', 0.32, 0.7),
    span(newSpanId(), rootId, 'template.render', 'receipt', 1.1, 1.19),
  ];
  const trace = { trace_id: traceId, span_id: rootId, op: 'http.server', status: 'internal_error' };
  const transaction = {
    event_id: newEventId(),
    type: 'transaction',
    transaction: name,
    start_timestamp: began,
    timestamp: began + 1.2,
    platform: 'node',
    release: 'shop@1.0.0',
    environment: 'production',
    contexts: { trace },
    measurements: { lcp: { value: 2_650, unit: 'millisecond' }, cls: { value: 0.02, unit: '' } },
    spans,
  };
  const error = {
    event_id: newEventId(),
    timestamp: began + 0.6,
    platform: 'node',
    level: 'error',
    environment: 'production',
    transaction: name,
    contexts: { trace: { trace_id: traceId, span_id: failedId } },
    exception: { values: [{ type: 'PaymentError', value: 'card declined' }] },
  };
  const logs = [
    { level: 'info', body: 'charging the card', span_id: payId, timestamp: began + 0.31 },
    { level: 'error', body: 'the card was declined', span_id: failedId, timestamp: began + 0.6 },
  ].map((line) => ({ ...line, trace_id: traceId, attributes: {} }));
  const envelope = (type: string, payload: object, headers = {}) =>
    buildEnvelope({ sent_at: new Date(nowMs).toISOString() }, [
      { type, payload: JSON.stringify(payload), headers },
    ]);
  return {
    traceId,
    rootId,
    failedId,
    errorId: error.event_id,
    envelopes: [
      envelope('transaction', transaction),
      envelope('event', error),
      envelope(
        'log',
        { items: logs },
        { item_count: logs.length, content_type: 'application/vnd.sentry.items.log+json' },
      ),
    ],
  };
}
