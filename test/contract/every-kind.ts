import { TELEMETRY_KINDS, type TelemetryKind, type TelemetryRows } from '#protocol/telemetry.ts';
import { HOSTILE_TEXT, NOON_MS, newEventId } from './sample-events.ts';
import { newSpanId } from './sample-telemetry.ts';

export type MakeRow = <Kind extends TelemetryKind>(
  kind: Kind,
  overrides?: Partial<TelemetryRows[Kind][number]>,
) => TelemetryRows[Kind][number];

const NOON_US = NOON_MS * 1_000;

/** A row of every kind with every field set to something that quoting gets wrong. */
export const hostileRows = (make: MakeRow): TelemetryRows => ({
  transactions: [
    make('transactions', {
      receivedAt: NOON_MS + 456,
      name: HOSTILE_TEXT,
      op: HOSTILE_TEXT,
      status: HOSTILE_TEXT,
      platform: HOSTILE_TEXT,
      startedAtUs: NOON_US + 123_456,
      endedAtUs: NOON_US + 123_457,
      release: HOSTILE_TEXT,
      dist: HOSTILE_TEXT,
      environment: HOSTILE_TEXT,
      user: { id: HOSTILE_TEXT, email: 'a@example.com', username: HOSTILE_TEXT, ip: '::1' },
      sdk: { name: HOSTILE_TEXT, version: HOSTILE_TEXT },
      tags: [
        ['z', HOSTILE_TEXT],
        [HOSTILE_TEXT, '\u0000'],
        ['__proto__', 'constructor'],
      ],
      measurements: { [HOSTILE_TEXT]: 0.1, ttfb: -1e-7, huge: Number.MAX_VALUE },
      spanCount: 65_536,
      profileId: newEventId(),
      replayId: newEventId(),
      payload: { [HOSTILE_TEXT]: ['\ud800', '\u0000', HOSTILE_TEXT, null, 1.5, { deep: [] }] },
    }),
  ],
  spans: [
    make('spans', {
      parentSpanId: newSpanId(),
      segmentId: newSpanId(),
      isSegment: true,
      transactionId: newEventId(),
      source: 'otlp',
      op: HOSTILE_TEXT,
      name: HOSTILE_TEXT,
      segmentName: HOSTILE_TEXT,
      status: HOSTILE_TEXT,
      kind: HOSTILE_TEXT,
      origin: HOSTILE_TEXT,
      startedAtUs: NOON_US + 1,
      durationUs: Number.MAX_SAFE_INTEGER,
      release: HOSTILE_TEXT,
      environment: HOSTILE_TEXT,
      platform: HOSTILE_TEXT,
      sdkName: HOSTILE_TEXT,
      userId: HOSTILE_TEXT,
      attributes: {
        [HOSTILE_TEXT]: HOSTILE_TEXT,
        text: '',
        yes: true,
        no: false,
        zero: 0,
        tiny: 5e-324,
        huge: 2 ** 53 + 2,
        '': 'no name',
      },
      links: [{ trace_id: newEventId(), attributes: { [HOSTILE_TEXT]: null } }],
    }),
  ],
  logs: [
    make('logs', {
      occurredAtUs: NOON_US + 999_999,
      traceId: newEventId(),
      spanId: newSpanId(),
      level: 'fatal',
      severityNumber: 24,
      body: `${HOSTILE_TEXT}\u0000`,
      source: 'otlp',
      release: HOSTILE_TEXT,
      environment: HOSTILE_TEXT,
      sdkName: HOSTILE_TEXT,
      attributes: { [HOSTILE_TEXT]: HOSTILE_TEXT },
    }),
  ],
  metrics: [
    make('metrics', {
      name: HOSTILE_TEXT,
      type: 'distribution',
      unit: HOSTILE_TEXT,
      value: -0.1,
      traceId: newEventId(),
      spanId: newSpanId(),
      source: 'statsd',
      release: HOSTILE_TEXT,
      environment: HOSTILE_TEXT,
      attributes: { [HOSTILE_TEXT]: 1e300 },
    }),
  ],
  sessions: [
    make('sessions', {
      kind: 'aggregate',
      distinctIdHash: newSpanId(),
      seq: 1_700_000_000_000,
      isInit: false,
      occurredAt: NOON_MS + 7,
      durationSeconds: 0.25,
      status: 'abnormal',
      errors: 3,
      exited: 1,
      errored: 2,
      crashed: 3,
      abnormal: 4,
      unhandled: 5,
      release: HOSTILE_TEXT,
      environment: HOSTILE_TEXT,
      abnormalMechanism: HOSTILE_TEXT,
      userAgent: HOSTILE_TEXT,
    }),
  ],
  checkIns: [
    make('checkIns', {
      monitorSlug: HOSTILE_TEXT,
      status: 'in_progress',
      environment: HOSTILE_TEXT,
      durationMs: 1.5,
      traceId: newEventId(),
      monitorConfig: { schedule: { type: 'crontab', value: '* * * * *' }, [HOSTILE_TEXT]: HOSTILE_TEXT },
    }),
  ],
  feedback: [
    make('feedback', {
      source: 'user_report',
      message: HOSTILE_TEXT,
      name: HOSTILE_TEXT,
      email: HOSTILE_TEXT,
      url: HOSTILE_TEXT,
      associatedEventId: newEventId(),
      replayId: newEventId(),
      traceId: newEventId(),
      release: HOSTILE_TEXT,
      environment: HOSTILE_TEXT,
      platform: HOSTILE_TEXT,
      payload: { [HOSTILE_TEXT]: ['\ud800'] },
    }),
  ],
  attachments: [
    make('attachments', {
      name: HOSTILE_TEXT,
      contentType: HOSTILE_TEXT,
      type: HOSTILE_TEXT,
      bytes: 200 * 1024 * 1024,
    }),
  ],
  replays: [
    make('replays', {
      segmentId: 4_294_967_295,
      startedAt: null,
      replayType: 'buffer',
      urls: [HOSTILE_TEXT, ''],
      errorIds: [newEventId(), newEventId()],
      traceIds: [newEventId()],
      release: HOSTILE_TEXT,
      environment: HOSTILE_TEXT,
      platform: HOSTILE_TEXT,
      userId: HOSTILE_TEXT,
      payload: { [HOSTILE_TEXT]: [] },
    }),
  ],
  replaySegments: [make('replaySegments', { segmentId: 12, kind: 'video', bytes: 10 ** 10 })],
  profiles: [
    make('profiles', {
      profilerId: newEventId(),
      kind: 'profile_chunk',
      platform: HOSTILE_TEXT,
      durationMs: 12.75,
      transactionName: HOSTILE_TEXT,
      traceId: newEventId(),
      release: HOSTILE_TEXT,
      environment: HOSTILE_TEXT,
    }),
  ],
});

/** A plain row of every kind. */
export const plainRows = (make: MakeRow): TelemetryRows =>
  Object.fromEntries(TELEMETRY_KINDS.map((kind) => [kind, [make(kind)]])) as unknown as TelemetryRows;
