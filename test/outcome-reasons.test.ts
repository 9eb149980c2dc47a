import { expect, test } from 'vitest';
import { knownReasonLabels } from '#app/[org]/stats/outcome-labels.ts';
import { BLOB_BUDGET } from '#ingest/blob-room.ts';
import { FILTER_REASONS } from '#pipeline/filter/filters.ts';
import { makeQuota } from '#product/quotas/store/stored-quotas.ts';
import { OUTCOMES } from '#protocol/outcome.ts';
import { readEmittedReasons } from './harness/emitted-reasons.ts';

const filters = FILTER_REASONS.map((reason) => `filtered/${reason}`);
const quotas = (['organization', 'project', 'key'] as const).map(
  (scope) =>
    `rate_limited/${makeQuota(scope, 1, { limit: 1, windowSeconds: 60, categories: [] }).reasonCode}`,
);
/** A literal elsewhere, which is read there. */
const named: readonly string[] = [];

/** What reasons that are computed can be. A new place must be added here, with everything that can come out of it. */
const COMPUTED: Readonly<Record<string, readonly string[]>> = {
  'src/ingest/accept/spool-request.ts: refusal.reason': named,
  'src/ingest/rate-limits/limit-items.ts: refusal.quota.reasonCode': [
    ...quotas,
    `rate_limited/${BLOB_BUDGET}`,
  ],
  // The reason is the sender's: words for what SDKs say are tested below.
  'src/ingest/client-report.ts: reason': named,
  'src/pipeline/digest-envelope.ts: result.reason': named,
  'src/pipeline/digest-event.ts: filter': filters,
  'src/pipeline/feedback/digest-feedback.ts: filter': filters,
  'src/pipeline/metrics/digest-statsd.ts: filter': filters,
  'src/pipeline/profiles/digest-profile.ts: filter': filters,
  'src/pipeline/replays/digest-replay.ts: read.reason': named,
  'src/pipeline/replays/read-replay.ts: filter': filters,
  'src/pipeline/security-reports/digest-reports.ts: digested.reason': named,
  'src/pipeline/security-reports/digest-reports.ts: result.reason': named,
  'src/pipeline/sessions/digest-session-aggregates.ts: filter': filters,
  'src/pipeline/sessions/digest-session-aggregates.ts: row': [
    'invalid/invalid_session',
    'invalid/no_data',
    'invalid/past_timestamp',
    'invalid/future_timestamp',
  ],
  'src/pipeline/sessions/digest-session.ts: filter': filters,
  'src/pipeline/sessions/digest-session.ts: problem': ['invalid/past_timestamp', 'invalid/future_timestamp'],
  'src/pipeline/telemetry/container.ts: reason': named,
  'src/pipeline/telemetry/row-collector.ts: filter': filters,
  'src/pipeline/telemetry/row-collector.ts: make': ['invalid/invalid_log', 'invalid/invalid_trace_metric'],
  'src/pipeline/telemetry/row-collector.ts: reason': named,
  'src/pipeline/traces/digest-transaction.ts: filter': filters,
  'src/pipeline/traces/digest-spans.ts: built.reason': named,
  'src/pipeline/traces/digest-spans.ts: filter': filters,
  'src/pipeline/traces/digest-spans.ts: reason': named,
  'src/pipeline/traces/transaction-spans.ts: built.reason': named,
  'src/pipeline/traces/transaction-spans.ts: reason': named,
};

const emitted = readEmittedReasons();
const withoutWords = (reasons: readonly string[]): string[] =>
  reasons.filter((each) => {
    const [outcome = '', reason = ''] = each.split('/');
    return knownReasonLabels(outcome, reason) === null;
  });

test('the reader finds what each way of giving a reason gives', () => {
  // By discarded(), Refusal, a tally, an object, OutcomeCounter.add, refuse(), refused(); with an outcome of its own; by a choice.
  expect(emitted.named).toEqual(
    expect.arrayContaining([
      'invalid/invalid_check_in',
      'invalid/dsn_mismatch',
      'invalid/invalid_statsd',
      'invalid/project_deleted',
      'invalid/disabled_key',
      'invalid/item_count_mismatch',
      'invalid/invalid_transaction',
      'filtered/unattended',
      'invalid/invalid_body',
    ]),
  );
  expect(emitted.named.length).toBeGreaterThan(50);
});

test('every reason that the code can give has words', () => {
  expect(withoutWords(emitted.named)).toEqual([]);
  expect(withoutWords(Object.values(COMPUTED).flat())).toEqual([]);
  expect(
    withoutWords([
      'accepted/',
      'expired/age',
      'expired/disk_budget',
      'expired/blob_budget',
      'expired/project_budget',
    ]),
  ).toEqual([]);
});

test('every computed reason is accounted for', () => {
  expect(emitted.computed).toEqual(Object.keys(COMPUTED).sort());
});

test('every reason that SDKs are specified to report has words', () => {
  const specified = [
    'backpressure',
    'before_send',
    'buffer_overflow',
    'cache_overflow',
    'callback_error',
    'event_processor',
    'ignored',
    'insufficient_data',
    'internal_sdk_error',
    'invalid',
    'network_error',
    'no_parent_span',
    'queue_overflow',
    'ratelimit_backoff',
    'sample_rate',
    'send_error',
  ];
  expect(withoutWords(specified.map((reason) => `client_discard/${reason}`))).toEqual([]);
});

test('words are sentences, and a name that nobody knows has none', () => {
  for (const each of emitted.named) {
    const [outcome = '', reason = ''] = each.split('/');
    const words = knownReasonLabels(outcome, reason);
    expect(words?.label, each).toMatch(/^[A-Z].*[^.]$/);
    expect(words?.meaning, each).toMatch(/^[A-Z].*\.$/);
    expect(words?.advice, each).toMatch(/^[A-Z].*\.$/);
  }
  for (const outcome of [...OUTCOMES, 'constructor'])
    expect(knownReasonLabels(outcome, 'constructor')).toBeNull();
});
