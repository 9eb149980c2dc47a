import { expect, test } from 'vitest';
import { compileGroupingRules } from '#pipeline/grouping/compile-grouping-rules.ts';
import { groupEvent } from '#pipeline/grouping/group-event.ts';
import type { Frame, NormalizedEvent } from '#protocol/event.ts';
import { summarizeGrouping } from './summarize-grouping.ts';

const frame = (name: string, isInApp = true): Frame => ({
  function: name,
  filename: `src/${name}.ts`,
  in_app: isInApp,
});

function summaryOf(parts: Partial<NormalizedEvent>, fingerprintRules = ''): string {
  const { rules } = compileGroupingRules({ fingerprint: fingerprintRules, stackTrace: '' });
  const event: NormalizedEvent = {
    event_id: 'a'.repeat(32),
    type: 'error',
    level: 'error',
    platform: 'node',
    timestamp: 0,
    received: 0,
    ...parts,
  };
  return summarizeGrouping(groupEvent(event, rules));
}

const thrown = (frames: readonly Frame[], type = 'TypeError', value = 'no id') => ({
  exception: { values: [{ type, value, ...(frames.length > 0 && { stacktrace: { frames } }) }] },
});

test.each<[string, Partial<NormalizedEvent>, string]>([
  [
    'in-app frames',
    thrown([frame('main'), frame('run', false), frame('pay')]),
    'Grouped by the exception type TypeError and the in-app stack trace of 2 frames: pay in pay.ts and main in main.ts.',
  ],
  [
    'many frames',
    thrown(['a', 'b', 'c', 'd', 'e'].map((name) => frame(name))),
    'Grouped by the exception type TypeError and the in-app stack trace of 5 frames: e in e.ts, d in d.ts, c in c.ts, and 2 more.',
  ],
  [
    'library frames only',
    thrown([frame('run', false)]),
    'Grouped by the exception type TypeError and the full stack trace of 1 frame: run in run.ts.',
  ],
  ['no stack trace', thrown([]), 'Grouped by the exception type TypeError and the message “no id”.'],
  ['a message', { logentry: { message: 'disk full' } }, 'Grouped by the message “disk full”.'],
  [
    'a fingerprint',
    { ...thrown([frame('pay')]), fingerprint: ['checkout', 'card'] },
    'Grouped by the fingerprint the SDK sent: “checkout” and “card”.',
  ],
  [
    'a fingerprint beside the default',
    { ...thrown([frame('pay')]), fingerprint: ['{{ default }}', 'eu'] },
    'Grouped by “eu” from the fingerprint the SDK sent, the exception type TypeError, and the in-app stack trace of 1 frame: pay in pay.ts.',
  ],
  ['a checksum', { checksum: 'x' }, 'Grouped by the checksum the SDK sent.'],
  [
    'a policy report',
    { csp: { effective_directive: 'img-src', blocked_uri: 'https://cdn.example/x.png' } },
    'Grouped by the URL “cdn.example”.',
  ],
  ['nothing', {}, 'Grouped by nothing in particular: it has no stack trace, message or fingerprint.'],
])('%s', (_, parts, sentence) => {
  expect(summaryOf(parts)).toBe(sentence);
});

test('a performance issue is grouped by what was found, and rules do not apply', () => {
  const found = {
    fingerprint: ['performance_slow_db_query', 'SELECT 1'],
    occurrence: { type: 'performance_slow_db_query' },
  };
  expect(summaryOf(found as never, 'message:* -> everything')).toBe(
    'Grouped by the problem found in the transaction: “performance_slow_db_query” and “SELECT 1”.',
  );
});

test('a fingerprint rule is named by its text', () => {
  expect(summaryOf(thrown([frame('pay')]), 'error.type:TypeError -> types')).toMatch(
    /^Grouped by the fingerprint rule .*TypeError.* -> .*types.*\.$/,
  );
});

test('texts of any length stay within a sentence', () => {
  const long = 'x'.repeat(5_000);
  expect(summaryOf(thrown([], long, long)).length).toBeLessThan(400);
  expect(summaryOf({ fingerprint: ['line\nbreak'] })).toContain('“line break”');
});
