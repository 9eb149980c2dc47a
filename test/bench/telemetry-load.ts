import { setTimeout as sleep } from 'node:timers/promises';
import { buildEnvelope, type Dsn, newEventId, newSpanId, postEnvelope } from '../harness/envelope.ts';

/** Spans, and as many log lines, of one envelope: one trace. */
const SPANS_PER_ENVELOPE = 40;

/** Sends so many items a second, spans and log lines by halves, until it is stopped; then answers how many it sent. */
export function startTelemetryLoad(
  dsns: readonly Dsn[],
  itemsPerSecond: number,
): { stop(): Promise<number> } {
  const everyMs = (2 * SPANS_PER_ENVELOPE * 1_000) / itemsPerSecond;
  const startedAt = performance.now();
  let isOver = false;
  let envelopes = 0;
  const sending = (async () => {
    for (; !isOver; envelopes++) {
      await sleep(Math.max(0, startedAt + envelopes * everyMs - performance.now()));
      const { status } = await postEnvelope(dsns[envelopes % dsns.length]!, makeTrace());
      if (status !== 200) throw new Error(`The server answered ${status}`);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await sending;
      return envelopes * 2 * SPANS_PER_ENVELOPE;
    },
  };
}

/** A log line by itself. */
export function makeLine(body: string): Buffer {
  return envelopeOf([logItem([{ ...lineAt(newEventId()), body }])]);
}

function makeTrace(): Buffer {
  const traceId = newEventId();
  const began = Date.now() / 1_000 - 0.5;
  const ids = Array.from({ length: SPANS_PER_ENVELOPE }, newSpanId);
  const spans = ids.map((span_id, index) => ({
    trace_id: traceId,
    span_id,
    ...(index > 0 && { parent_span_id: ids[Math.floor((index - 1) / 4)] }),
    name:
      index === 0
        ? `GET /orders/${ids[0]?.charAt(0)}`
        : `SELECT * FROM orders WHERE id = $1 AND shop = ${index}`,
    status: index === 7 ? 'error' : 'ok',
    is_segment: index === 0,
    start_timestamp: began + index * 0.002,
    end_timestamp: began + index * 0.002 + 0.01,
    attributes: {
      'sentry.op': text(index === 0 ? 'http.server' : 'db.query'),
      'sentry.release': text('shop@4.3.0'),
      'sentry.environment': text('production'),
      'db.system': text('postgresql'),
      'server.address': text(`node-${index}`),
      'http.response.status_code': { type: 'integer', value: 200 },
    },
  }));
  const lines = ids.map((span_id, index) => ({
    ...lineAt(traceId),
    span_id,
    body: `order ${span_id} accepted, step ${index}`,
  }));
  return envelopeOf([
    {
      type: 'span',
      payload: JSON.stringify({ items: spans }),
      headers: { item_count: spans.length, content_type: 'application/vnd.sentry.items.span.v2+json' },
    },
    logItem(lines),
  ]);
}

const text = (value: string) => ({ type: 'string', value });

const lineAt = (traceId: string) => ({
  timestamp: Date.now() / 1_000,
  level: 'info',
  trace_id: traceId,
  attributes: { 'server.address': text('node-1'), 'sentry.release': text('shop@4.3.0') },
});

const logItem = (items: readonly object[]) => ({
  type: 'log',
  payload: JSON.stringify({ items }),
  headers: { item_count: items.length, content_type: 'application/vnd.sentry.items.log+json' },
});

const envelopeOf = (items: Parameters<typeof buildEnvelope>[1]): Buffer =>
  buildEnvelope({ sent_at: new Date().toISOString() }, items);
