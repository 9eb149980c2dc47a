import { expect, test } from 'vitest';
import type { MonitorFailure } from '#protocol/monitor-issue.ts';
import { digestEnvelope } from '../digest-envelope.ts';
import { FIXTURES_RECEIVED_AT_MS, itemContext, rawItem } from '../fixtures/digest-fixture.ts';
import { compileGroupingRules } from '../grouping/compile-grouping-rules.ts';
import { digestMonitorFailure, MONITOR_FAILURE_ITEM, monitorIssueHash } from './digest-monitor-failure.ts';

const ID = 'a'.repeat(32);
const failure = (fields: Partial<MonitorFailure> = {}): MonitorFailure => ({
  type: 'monitor_check_in_failure',
  organizationId: 1,
  projectId: 1,
  eventId: ID,
  fingerprint: ['crons', '17', 'production'],
  title: 'Cron failure: nightly-report',
  level: 'error',
  at: FIXTURES_RECEIVED_AT_MS - 4_000,
  environment: 'production',
  traceId: null,
  tags: [['monitor.slug', 'nightly-report']],
  evidence: {
    reason: 'A missed check-in was detected',
    facts: [{ name: 'Expected', value: '03:00 UTC' }],
    monitorPath: 'monitors/crons/nightly-report',
  },
  ...fields,
});
const digest = (sent: unknown, context = {}, isKnown: (id: string) => boolean = () => false) =>
  digestEnvelope([rawItem(MONITOR_FAILURE_ITEM, sent)], itemContext(context), isKnown);

test('a failure is an event of the issue of its monitor, and nothing that counts as sent', () => {
  const { events, outcomes } = digest(failure());
  expect(outcomes).toEqual([]);
  expect(events).toMatchObject([
    {
      eventId: ID,
      type: 'monitor_check_in_failure',
      level: 'error',
      title: 'Cron failure: nightly-report',
      metadata: { title: 'Cron failure: nightly-report', value: 'A missed check-in was detected' },
      environment: 'production',
      occurredAt: FIXTURES_RECEIVED_AT_MS - 4_000,
      groupingHash: monitorIssueHash(['crons', '17', 'production']),
      payload: { monitor: { monitorPath: 'monitors/crons/nightly-report' } },
    },
  ]);
  expect(events[0]?.tags).toContainEqual(['monitor.slug', 'nightly-report']);
});

test('rules of the project do not group it, and one that was told before is not told again', () => {
  const { rules } = compileGroupingRules({ fingerprint: 'message:* -> everything', stackTrace: '' });
  const ruled = digest(failure(), { rules: { ...itemContext().rules, grouping: rules } });
  expect(ruled.events[0]?.groupingHash).toBe(monitorIssueHash(failure().fingerprint));
  expect(digest(failure(), {}, (id) => id === ID).events).toEqual([]);
});

test('what cannot be read makes nothing', () => {
  expect(
    digestMonitorFailure(rawItem(MONITOR_FAILURE_ITEM, null, { payload: Buffer.from('{') }), itemContext()),
  ).toMatchObject({ events: [], outcomes: [] });
});

test('a token of a known form is taken out: what an address answered may hold one', () => {
  const token = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
  const evidence = {
    ...failure().evidence,
    reason: `It answered 500: ${token}`,
    facts: [{ name: 'Response', value: `token=${token}` }],
  };
  const [event] = digest(failure({ evidence })).events;
  expect(event?.metadata.value).toContain('It answered 500');
  expect(JSON.stringify(event)).not.toContain(token);
});
