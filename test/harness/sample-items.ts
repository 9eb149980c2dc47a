import { deflateSync } from 'node:zlib';
import { type EnvelopeItem, newEventId, newSpanId } from './envelope.ts';
import { makeJavascriptError } from './sample-event.ts';

/** What an envelope of one type holds, and how many items of which category it is counted as. */
export type SampleEnvelope = {
  name: string;
  eventId: string | null;
  items: readonly EnvelopeItem[];
  /** Category → quantity that must end as accepted. */
  counts: Readonly<Record<string, number>>;
};

const seconds = (): number => Date.now() / 1000;
const json = (value: unknown): string => JSON.stringify(value);

/** One envelope of every item type that SDKs send, new ids each time. `mark` stands in every text. */
export function makeSampleEnvelopes(mark: string): SampleEnvelope[] {
  const traceId = newEventId();
  const release = `shop@${mark}`;
  const now = seconds();
  const event = makeJavascriptError({ issue: 3, bytes: 3_000 });
  const transactionId = newEventId();
  const replayId = newEventId();
  const attachment = (name: string, content: string): EnvelopeItem => ({
    type: 'attachment',
    payload: content,
    headers: { filename: name, content_type: 'text/plain', attachment_type: 'event.attachment' },
  });
  return [
    {
      name: 'event with attachment',
      eventId: event.event_id,
      items: [{ type: 'event', payload: json(event) }, attachment(`${mark}.txt`, `content of ${mark}`)],
      counts: { error: 1, attachment: 1 },
    },
    {
      name: 'transaction',
      eventId: transactionId,
      items: [
        {
          type: 'transaction',
          payload: json({
            event_id: transactionId,
            type: 'transaction',
            transaction: `GET /${mark}`,
            start_timestamp: now - 1,
            timestamp: now,
            platform: 'node',
            release,
            contexts: { trace: { trace_id: traceId, span_id: newSpanId(), op: 'http.server', status: 'ok' } },
            spans: [1, 2].map((index) => ({
              trace_id: traceId,
              span_id: newSpanId(),
              op: 'db.query',
              description: `SELECT ${index} -- ${mark}`,
              start_timestamp: now - 0.9,
              timestamp: now - 0.5,
            })),
          }),
        },
      ],
      // The transaction is a span, too.
      counts: { transaction: 1, span: 3 },
    },
    {
      name: 'span container',
      eventId: null,
      items: [
        container('span', 'span.v2', [
          {
            trace_id: traceId,
            span_id: newSpanId(),
            name: mark,
            status: 'ok',
            is_segment: true,
            start_timestamp: now - 1,
            end_timestamp: now,
            attributes: { 'sentry.op': { type: 'string', value: 'job' } },
          },
        ]),
      ],
      counts: { span: 1 },
    },
    {
      name: 'log container',
      eventId: null,
      items: [
        container(
          'log',
          'log',
          [1, 2, 3].map((index) => ({
            timestamp: now,
            trace_id: traceId,
            level: 'info',
            body: `${mark} ${index}`,
            attributes: { index: { type: 'integer', value: index } },
          })),
        ),
      ],
      counts: { log_item: 3 },
    },
    {
      name: 'metric container',
      eventId: null,
      items: [
        container('trace_metric', 'trace-metric', [
          { timestamp: now, trace_id: traceId, name: mark, type: 'counter', value: 2, attributes: {} },
        ]),
      ],
      counts: { trace_metric: 1 },
    },
    {
      name: 'session',
      eventId: null,
      items: [
        {
          type: 'session',
          payload: json({
            sid: newEventId(),
            did: mark,
            init: true,
            started: new Date().toISOString(),
            status: 'ok',
            errors: 0,
            attrs: { release, environment: 'production' },
          }),
        },
      ],
      counts: { session: 1 },
    },
    {
      name: 'sessions',
      eventId: null,
      items: [
        {
          type: 'sessions',
          payload: json({
            aggregates: [{ started: new Date().toISOString(), exited: 3, errored: 1 }],
            attrs: { release, environment: 'production' },
          }),
        },
      ],
      counts: { session: 1 },
    },
    {
      name: 'check-in',
      eventId: null,
      items: [
        {
          type: 'check_in',
          payload: json({
            check_in_id: newEventId(),
            monitor_slug: `nightly-${mark}`.slice(0, 50),
            status: 'ok',
            duration: 3.5,
            monitor_config: { schedule: { type: 'crontab', value: '0 3 * * *' } },
          }),
        },
      ],
      counts: { monitor: 1 },
    },
    feedbackEnvelope(mark, traceId),
    {
      name: 'user report',
      eventId: event.event_id,
      items: [
        {
          type: 'user_report',
          payload: json({ event_id: event.event_id, name: 'Ada', email: 'ada@example.com', comments: mark }),
        },
      ],
      counts: { user_report_v2: 1 },
    },
    replayEnvelope(mark, replayId),
    {
      name: 'profile chunk',
      eventId: null,
      items: [
        {
          type: 'profile_chunk',
          payload: json({
            profiler_id: newEventId(),
            chunk_id: newEventId(),
            version: '2',
            platform: 'node',
            release,
            environment: 'production',
            client_sdk: { name: 'sentry.javascript.node', version: '11.1.0' },
            profile: {
              samples: [{ stack_id: 0, thread_id: '0', timestamp: now }],
              stacks: [[0]],
              frames: [{ function: mark, lineno: 1 }],
              thread_metadata: { 0: { name: 'main' } },
            },
          }),
          headers: { platform: 'node' },
        },
      ],
      counts: { profile_chunk: 1 },
    },
  ];
}

/** An event with an attachment too large for the spool: its body goes to the blob store. */
export function makeLargeEnvelope(bytes: number): SampleEnvelope {
  const event = makeJavascriptError({ issue: 4, bytes: 2_000 });
  const file: EnvelopeItem = {
    type: 'attachment',
    payload: Buffer.alloc(bytes, 'x'),
    headers: { filename: 'large.bin', content_type: 'application/octet-stream' },
  };
  return {
    name: `attachment of ${bytes} bytes`,
    eventId: event.event_id,
    items: [{ type: 'event', payload: json(event) }, file],
    counts: { error: 1, attachment: 1 },
  };
}

/** A container of elements, with the count in its header that the protocol asks for. */
export const container = (type: string, content: string, elements: readonly unknown[]): EnvelopeItem => ({
  type,
  payload: json({ items: elements }),
  headers: { item_count: elements.length, content_type: `application/vnd.sentry.items.${content}+json` },
});

function feedbackEnvelope(mark: string, traceId: string): SampleEnvelope {
  const eventId = newEventId();
  return {
    name: 'feedback',
    eventId,
    items: [
      {
        type: 'feedback',
        payload: json({
          event_id: eventId,
          timestamp: seconds(),
          platform: 'javascript',
          contexts: {
            feedback: { message: `It broke: ${mark}`, contact_email: 'ada@example.com', name: 'Ada' },
            trace: { trace_id: traceId, span_id: newSpanId() },
          },
        }),
      },
    ],
    counts: { feedback: 1 },
  };
}

function replayEnvelope(mark: string, replayId: string): SampleEnvelope {
  const recording = Buffer.concat([
    Buffer.from('{"segment_id":0}\n'),
    deflateSync(
      json([{ type: 4, timestamp: Date.now(), data: { href: `https://shop.example.com/${mark}` } }]),
    ),
  ]);
  return {
    name: 'replay',
    eventId: replayId,
    items: [
      {
        type: 'replay_event',
        payload: json({
          event_id: replayId,
          replay_id: replayId,
          type: 'replay_event',
          replay_type: 'session',
          segment_id: 0,
          timestamp: seconds(),
          replay_start_timestamp: seconds() - 5,
          urls: [`https://shop.example.com/${mark}`],
          error_ids: [],
          trace_ids: [],
          platform: 'javascript',
        }),
      },
      { type: 'replay_recording', payload: recording },
    ],
    counts: { replay: 2 },
  };
}
