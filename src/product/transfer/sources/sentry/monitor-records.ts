import { INTERVAL_UNITS } from '#protocol/monitor-config.ts';
import type { RecordOf } from '../../records.ts';
import { numberOf, textOf } from '../foreign-values.ts';
import { arrayOf, type JsonObject, objectOf } from '../json-values.ts';
import { ownerOf, type SentryPeople } from './people-of-sentry.ts';

/** In an export kinds of schedules are numbers. */
const CRONTAB: ReadonlySet<unknown> = new Set(['crontab', 1]);
const DISABLED: ReadonlySet<unknown> = new Set(['disabled', 1]);

/** A cron monitor as Sentry's API answers it, or as an export has its fields. */
export function monitorRecord(
  monitor: JsonObject,
  { id, project, owner }: { id: string; project: string; owner: unknown },
  people: SentryPeople,
): RecordOf<'monitor'> {
  const config = objectOf(monitor.config) ?? {};
  const slug = textOf(monitor.slug) ?? id;
  return {
    kind: 'monitor',
    id,
    project,
    slug,
    name: textOf(monitor.name) ?? slug,
    schedule: scheduleOf(config),
    timeZone: textOf(config.timezone) ?? 'UTC',
    checkinMargin: wholeOf(config.checkin_margin),
    maxRuntime: wholeOf(config.max_runtime),
    failureIssueThreshold: wholeOf(config.failure_issue_threshold),
    recoveryThreshold: wholeOf(config.recovery_threshold),
    owner: ownerOf(owner, people),
    isDisabled: DISABLED.has(monitor.status),
    isMuted: monitor.isMuted === true || monitor.is_muted === true,
  };
}

/** `0 * * * *`, or `[5, 'minute']`; null for what is neither. */
function scheduleOf(config: JsonObject): RecordOf<'monitor'>['schedule'] {
  if (CRONTAB.has(config.schedule_type)) {
    const value = textOf(config.schedule);
    return value === null ? null : { type: 'crontab', value };
  }
  const [value, name] = arrayOf(config.schedule);
  const unit = INTERVAL_UNITS.find((each) => each === name);
  const count = wholeOf(value);
  return unit && count ? { type: 'interval', value: count, unit } : null;
}

const wholeOf = (value: unknown): number | null =>
  value === null || value === undefined ? null : Math.max(0, Math.round(numberOf(value)));
