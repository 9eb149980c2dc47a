import { invalid } from '#lib/errors.ts';
import { ownValue } from '#lib/own-value.ts';
import type { SessionDurations, SessionGroup } from '#storage/ports/telemetry.ts';

type Read = (group: SessionGroup) => number | null;

const all = ({ exited, errored, crashed, abnormal, unhandled }: SessionGroup): number =>
  exited + errored + crashed + abnormal + unhandled;

/** null for a share of nothing. */
const share =
  (part: Read, whole: Read): Read =>
  (group) => {
    const of = whole(group) ?? 0;
    return of === 0 ? null : (part(group) ?? 0) / of;
  };

const users: Read = (group) => group.users;

const SECOND_IN_MS = 1000;

/** In milliseconds, as Sentry answers; of sessions that ended as usual. */
const duration =
  (name: keyof SessionDurations): Read =>
  ({ durations }) =>
    durations && durations[name] * SECOND_IN_MS;

/** Source: https://docs.sentry.io/api/releases/retrieve-release-health-session-statistics/ */
const FIELDS: Readonly<Record<string, Read>> = {
  'sum(session)': all,
  'count_unique(user)': users,
  'crash_free_rate(session)': share((group) => all(group) - group.crashed, all),
  'crash_free_rate(user)': share((group) => group.users - group.crashedUsers, users),
  'crash_rate(session)': share((group) => group.crashed, all),
  'crash_rate(user)': share((group) => group.crashedUsers, users),
  'errored_rate(session)': share((group) => group.errored, all),
  'abnormal_rate(session)': share((group) => group.abnormal, all),
  'unhandled_rate(session)': share((group) => group.unhandled, all),
  'unhealthy_rate(session)': share((group) => all(group) - group.exited, all),
  'count_healthy(session)': (group) => group.exited,
  'count_errored(session)': (group) => group.errored,
  'count_crashed(session)': (group) => group.crashed,
  'count_abnormal(session)': (group) => group.abnormal,
  'count_unhandled(session)': (group) => group.unhandled,
  ...Object.fromEntries(
    (['avg', 'max', 'p50', 'p75', 'p90', 'p95', 'p99'] as const).map((name) => [
      `${name}(session.duration)`,
      duration(name),
    ]),
  ),
  'anr_rate()': share((group) => group.hungUsers, users),
  'foreground_anr_rate()': share((group) => group.hungForegroundUsers, users),
};

/** What is answered when no field is named. */
const SUMMARY: Readonly<Record<string, Read>> = {
  ...Object.fromEntries(
    ['sum(session)', 'count_unique(user)', 'crash_free_rate(session)', 'crash_free_rate(user)'].map(
      (name) => [name, FIELDS[name] as Read],
    ),
  ),
  'session.exited': (group) => group.exited,
  'session.errored': (group) => group.errored,
  'session.crashed': (group) => group.crashed,
  'session.abnormal': (group) => group.abnormal,
  'session.unhandled': (group) => group.unhandled,
};

export type SessionField = { name: string; read: Read };

/** Those of the summary for none. Throws Invalid. */
export function readSessionFields(names: readonly string[]): readonly SessionField[] {
  const named = [...new Set(names.filter((name) => name !== ''))];
  if (named.length === 0) return Object.entries(SUMMARY).map(([name, read]) => ({ name, read }));
  return named.map((name) => ({ name, read: readOf(name, 'field') }));
}

/** By which number groups are sorted; null for none. Throws Invalid. */
export function readSessionOrder(orderBy: string | null): { sortBy: Read | null; isDescending: boolean } {
  if (!orderBy) return { sortBy: null, isDescending: true };
  return {
    sortBy: readOf(orderBy.replace(/^-/, ''), 'orderBy'),
    isDescending: orderBy.startsWith('-'),
  };
}

function readOf(name: string, parameter: string): Read {
  const read = ownValue(FIELDS, name);
  if (read) return read;
  throw invalid(
    `${parameter} "${name.slice(0, 60)}" is not supported: choose one of ${Object.keys(FIELDS).join(', ')}`,
    parameter,
  );
}

/** How sessions end, with how many of them did. */
export const SESSION_STATUSES: readonly { status: string; read: Read }[] = [
  { status: 'healthy', read: (group) => group.exited },
  { status: 'errored', read: (group) => group.errored },
  { status: 'crashed', read: (group) => group.crashed },
  { status: 'abnormal', read: (group) => group.abnormal },
  { status: 'unhandled', read: (group) => group.unhandled },
];
