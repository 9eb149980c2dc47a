import { hash } from 'node:crypto';
import type { FailureReason, MonitorFact } from '#domain/monitors/monitor-state.ts';
import type { MonitorFailure } from '#protocol/monitor-issue.ts';
import { describeSchedule } from '../describe-schedule.ts';
import { fingerprintOf, type Monitor, type MonitorEnvironment } from '../monitor.ts';
import type { WatchFact } from '../watch-fact.ts';

/** Check-ins that were begun without an id are stored with this one. */
const NO_ID = '0'.repeat(32);

export function watchFactOf(
  fact: MonitorFact,
  monitor: Monitor,
  environment: Pick<MonitorEnvironment, 'id' | 'name'>,
  nowMs: number,
): WatchFact {
  const { organizationId, projectId } = monitor;
  const fingerprint = fingerprintOf(monitor.id, environment.name);
  switch (fact.kind) {
    case 'found':
      return {
        kind: 'row',
        row: {
          organizationId,
          projectId,
          keyId: 0,
          receivedAt: nowMs,
          checkInId: fact.checkInId ?? NO_ID,
          monitorSlug: monitor.slug,
          status: fact.status,
          environment: environment.name,
          occurredAt: fact.at,
          durationMs: null,
          traceId: fact.traceId,
          monitorConfig: null,
        },
      };
    case 'recovered':
      return {
        kind: 'recovery',
        organizationId,
        projectId,
        environmentId: environment.id,
        fingerprint,
        failedAtMs: fact.toldAt,
      };
    case 'failed':
      return { kind: 'failure', failure: failureOf(fact, monitor, environment.name, fingerprint) };
  }
}

const REASONS: Readonly<Record<FailureReason, string>> = {
  missed: 'A run was missed: no check-in arrived in time',
  timeout: 'A run took too long: it did not finish within its maximum runtime',
  error: 'A run failed: its check-in reported an error',
};

const REASON_NAMES: Readonly<Record<FailureReason, string>> = {
  missed: 'Missed check-in',
  timeout: 'Timed out',
  error: 'Error reported',
};

function failureOf(
  fact: Extract<MonitorFact, { kind: 'failed' }>,
  monitor: Monitor,
  environment: string,
  fingerprint: readonly string[],
): MonitorFailure {
  const { reason, expectedAt, lastOkAt, inARow } = fact;
  const facts = [
    { name: 'Failure', value: REASON_NAMES[reason] },
    { name: 'Environment', value: environment },
    { name: 'Schedule', value: describeSchedule(monitor) },
    ...(expectedAt === null ? [] : [{ name: 'Expected', value: utcOf(expectedAt) }]),
    { name: 'Last successful check-in', value: lastOkAt === null ? 'None yet' : utcOf(lastOkAt) },
    { name: 'Failures in a row', value: String(inARow) },
  ];
  return {
    type: 'monitor_check_in_failure',
    organizationId: monitor.organizationId,
    projectId: monitor.projectId,
    eventId: eventIdOf(fact),
    fingerprint,
    title: `Cron failure: ${monitor.name}`,
    level: 'error',
    at: fact.at,
    environment,
    traceId: fact.traceId,
    tags: [
      ['monitor.slug', monitor.slug],
      ['monitor.id', monitor.guid],
      ['monitor.failure', reason],
    ],
    evidence: { reason: REASONS[reason], facts, monitorPath: pathOf(monitor) },
  };
}

/** `2026-11-27 13:38:00 UTC` */
const utcOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** The same failure has the same, however often it is found. */
const eventIdOf = ({ incidentId, reason, at, checkInId }: Extract<MonitorFact, { kind: 'failed' }>): string =>
  hash('md5', [incidentId, reason, at, checkInId].join(':'));

/** Below the organization. */
export const pathOf = ({ id }: Pick<Monitor, 'id'>): string => `monitors/crons/${id}`;
