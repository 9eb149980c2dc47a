import type { WatchSettings } from '#domain/monitors/monitor-state.ts';
import { openRunTimes, problemOfSchedule, type RunTimes } from '#domain/monitors/run-times.ts';
import { MINUTE_MS } from '#lib/time.ts';
import type { MonitorConfig } from '#protocol/monitor-config.ts';
import { DEFAULT_MONITOR_SETTINGS, type MonitorSettings } from '../monitor.ts';

/** Minutes; four weeks. */
export const MARGIN_MINUTES_MAX = 40_320;
/** Minutes; four weeks. */
export const RUNTIME_MINUTES_MAX = 40_320;
export const THRESHOLD_MAX = 720;

/** What an SDK sent, within what is possible; its problem, in words for people, when there is no such schedule. */
export function readSentConfig(config: MonitorConfig): MonitorSettings | { problem: string } {
  const timeZone = config.timezone || DEFAULT_MONITOR_SETTINGS.timeZone;
  const problem = problemOfSchedule(config.schedule, timeZone);
  if (problem !== null) return { problem };
  const within = (value: number | undefined, otherwise: number, max: number) =>
    Math.min(max, Math.max(1, value ?? otherwise));
  const { checkinMargin, maxRuntime, failureIssueThreshold, recoveryThreshold } = DEFAULT_MONITOR_SETTINGS;
  return {
    schedule: config.schedule,
    timeZone,
    checkinMargin: within(config.checkin_margin, checkinMargin, MARGIN_MINUTES_MAX),
    maxRuntime: within(config.max_runtime, maxRuntime, RUNTIME_MINUTES_MAX),
    failureIssueThreshold: within(config.failure_issue_threshold, failureIssueThreshold, THRESHOLD_MAX),
    recoveryThreshold: within(config.recovery_threshold, recoveryThreshold, THRESHOLD_MAX),
  };
}

export const watchSettingsOf = (settings: MonitorSettings, isMuted: boolean): WatchSettings => ({
  times: runTimesOf(settings),
  marginMs: settings.checkinMargin * MINUTE_MS,
  maxRuntimeMs: settings.maxRuntime * MINUTE_MS,
  failureThreshold: settings.failureIssueThreshold,
  recoveryThreshold: settings.recoveryThreshold,
  isMuted,
});

/** null without a schedule, and with one that this version cannot read. */
export function runTimesOf({
  schedule,
  timeZone,
}: Pick<MonitorSettings, 'schedule' | 'timeZone'>): RunTimes | null {
  try {
    return schedule && openRunTimes(schedule, timeZone);
  } catch {
    return null;
  }
}

export const sameSettings = (a: MonitorSettings, b: MonitorSettings): boolean =>
  sameSchedule(a.schedule, b.schedule) && SETTINGS.every((name) => a[name] === b[name]);

const SETTINGS = [
  'timeZone',
  'checkinMargin',
  'maxRuntime',
  'failureIssueThreshold',
  'recoveryThreshold',
] as const satisfies readonly (keyof MonitorSettings)[];

const sameSchedule = (a: MonitorSettings['schedule'], b: MonitorSettings['schedule']): boolean =>
  a?.type === b?.type &&
  a?.value === b?.value &&
  (a?.type === 'interval' ? a.unit : null) === (b?.type === 'interval' ? b.unit : null);

/** `user:<id>` or `team:<number>`, as Sentry's clients write an owner; null for anything else. */
export function readSentOwner(text: string): { userId: string | null; teamId: number | null } | null {
  const [, kind, id] = /^(user|team):(.{1,128})$/.exec(text) ?? [];
  if (kind === 'user' && id !== undefined) return { userId: id, teamId: null };
  return kind === 'team' && /^\d{1,15}$/.test(id ?? '') ? { userId: null, teamId: Number(id) } : null;
}
