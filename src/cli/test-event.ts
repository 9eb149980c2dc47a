import { randomUUID } from 'node:crypto';

export type TestEvent = { eventId: string; envelope: Uint8Array<ArrayBuffer> };

/** An envelope with one error, as an SDK would send it. Each one has its own id; all group into one issue. */
export function buildTestEvent(nowMs: number): TestEvent {
  const eventId = randomUUID().replaceAll('-', '');
  const event = JSON.stringify({
    event_id: eventId,
    timestamp: nowMs / 1_000,
    platform: 'node',
    level: 'error',
    environment: 'test',
    sdk: { name: 'errata.cli', version: '1' },
    exception: {
      values: [
        {
          type: 'TestEventError',
          value: 'This is a test event: what SDKs send arrives, and is grouped and shown',
          mechanism: { type: 'generic', handled: true },
          stacktrace: { frames: FRAMES },
        },
      ],
    },
  });
  const lines = [
    JSON.stringify({ event_id: eventId, sent_at: new Date(nowMs).toISOString() }),
    JSON.stringify({ type: 'event', length: Buffer.byteLength(event) }),
    event,
  ];
  return { eventId, envelope: new TextEncoder().encode(`${lines.join('\n')}\n`) };
}

const FRAMES = [
  { function: 'main', filename: 'test-event.js', module: 'test-event', lineno: 9, in_app: true },
  {
    function: 'sendTestEvent',
    filename: 'test-event.js',
    module: 'test-event',
    lineno: 4,
    colno: 9,
    in_app: true,
    pre_context: ['function sendTestEvent() {', '  // Nothing is broken: this line was written to be seen.'],
    context_line: "  throw new TestEventError('This is a test event');",
    post_context: ['}'],
  },
];
