import { buildEnvelope, newEventId, newSpanId } from './envelope.ts';

const envelope = (header: Readonly<Record<string, unknown>>, items: readonly [string, object][]) =>
  buildEnvelope(
    header,
    items.map(([type, payload]) => ({ type, payload: JSON.stringify(payload) })),
  );

const FRAMES = [
  ['handleCheckout', 'src/checkout.ts', 12, true],
  ['loadCart', 'src/cart.ts', 40, true],
  ['query', 'node_modules/pg/lib/client.js', 512, false],
  ['applyDiscounts', 'src/pricing.ts', 77, true],
  ['matchRule', 'src/pricing.ts', 120, true],
  ['test', 'node_modules/semver/index.js', 9, false],
  ['renderReceipt', 'src/receipt.ts', 8, true],
  ['stringify', 'node_modules/qs/lib/stringify.js', 30, false],
  ['processTicksAndRejections', 'node:internal/process/task_queues', 95, false],
  ['(idle)', '', null, false],
].map(([name, file, line, isOwn]) => ({
  function: name,
  filename: file,
  abs_path: file === '' ? '' : `/app/${String(file)}`,
  lineno: line,
  in_app: isOwn,
}));

/** Innermost first, as SDKs send them. */
const STACKS = [
  [0, 8],
  [1, 0, 8],
  [2, 1, 0, 8],
  [3, 0, 8],
  [4, 3, 0, 8],
  [5, 4, 3, 0, 8],
  [6, 0, 8],
  [7, 6, 0, 8],
  [9],
];
/** What the main thread runs, as the index of a stack for each 10 ms. */
const RAN = [0, 1, 2, 2, 2, 1, 3, 4, 5, 5, 4, 4, 5, 3, 4, 5, 4, 0, 6, 7, 7, 6, 7, 0, 0];
const STEP_MS = 10;

const profileOf = (samples: readonly object[]) => ({
  frames: FRAMES,
  stacks: STACKS,
  samples,
  thread_metadata: { '0': { name: 'main' }, '1': { name: 'worker' } },
});

/** The body of a profile of a transaction of 240 ms: a cart is loaded, priced and printed; a worker idles beside it. */
export const sampleProfile = (profileId: string, transaction: object = {}): Record<string, unknown> => ({
  event_id: profileId,
  version: '1',
  platform: 'node',
  release: 'shop@1.0.0',
  environment: 'production',
  timestamp: new Date().toISOString(),
  device: { architecture: 'x64' },
  os: { name: 'Linux', version: '6' },
  runtime: { name: 'node', version: '24' },
  transaction: { name: 'POST /checkout', active_thread_id: '0', ...transaction },
  profile: profileOf(
    RAN.flatMap((stack, index) => [
      {
        elapsed_since_start_ns: String(index * STEP_MS * 1_000_000),
        thread_id: '0',
        stack_id: stack,
      },
      {
        elapsed_since_start_ns: String(index * STEP_MS * 1_000_000),
        thread_id: '1',
        stack_id: STACKS.length - 1,
      },
    ]),
  ),
});

/** The body of a chunk that begins at a moment, in seconds since the epoch: the same program. */
export const sampleChunk = (profilerId: string, chunkId: string, began: number): Record<string, unknown> => ({
  profiler_id: profilerId,
  chunk_id: chunkId,
  version: '2',
  platform: 'node',
  release: 'shop@1.0.0',
  environment: 'production',
  client_sdk: { name: 'sentry.javascript.node', version: '10.0.0' },
  profile: profileOf(
    RAN.map((stack, index) => ({
      timestamp: began + (index * STEP_MS) / 1_000,
      thread_id: '0',
      stack_id: stack,
    })),
  ),
});

export type SampleProfile = {
  profileId: string;
  profilerId: string;
  traceId: string;
  rootId: string;
  /** A transaction with its profile, which it does not name, and two chunks of a profiler that ran during a second one. */
  envelopes: readonly Buffer[];
};

export function makeSampleProfile(nowMs = Date.now()): SampleProfile {
  const began = nowMs / 1_000 - 2;
  const [profileId, profilerId, traceId, rootId, eventId] = [
    newEventId(),
    newEventId(),
    newEventId(),
    newSpanId(),
    newEventId(),
  ];
  const transaction = (id: string, spanId: string, name: string, contexts: object, data: object) => ({
    event_id: id,
    type: 'transaction',
    transaction: name,
    start_timestamp: began,
    timestamp: began + 0.24,
    platform: 'node',
    release: 'shop@1.0.0',
    environment: 'production',
    contexts: { trace: { trace_id: traceId, span_id: spanId, op: 'http.server', data }, ...contexts },
    spans: [],
  });
  const other = newEventId();
  return {
    profileId,
    profilerId,
    traceId,
    rootId,
    envelopes: [
      envelope({ event_id: eventId }, [
        ['transaction', transaction(eventId, rootId, 'POST /checkout', {}, {})],
        ['profile', sampleProfile(profileId, { id: eventId, trace_id: traceId })],
      ]),
      envelope({ event_id: other }, [
        [
          'transaction',
          transaction(
            other,
            newSpanId(),
            'GET /cart',
            { profile: { profiler_id: profilerId } },
            { 'thread.id': '0' },
          ),
        ],
      ]),
      ...[0, 0.25].map((offset) =>
        envelope({}, [['profile_chunk', sampleChunk(profilerId, newEventId(), began + offset)]]),
      ),
    ],
  };
}
