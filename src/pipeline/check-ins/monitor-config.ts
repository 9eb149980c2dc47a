import { INTERVAL_UNITS, type MonitorConfig } from '#protocol/monitor-config.ts';
import { isSource, type Source } from '../normalize/field-reader.ts';
import { cutText, toSafeText } from '../normalize/safe-text.ts';

const NUMBERS = ['checkin_margin', 'max_runtime', 'failure_issue_threshold', 'recovery_threshold'] as const;
const TEXTS = ['timezone', 'owner'] as const;
/** A crontab schedule; a monitor with a longer one is rejected. */
const SCHEDULE_CHARS_MAX = 256;
/** Time zone and owner of a monitor, each. */
const TEXT_CHARS_MAX = 128;
/** Largest number in a monitor configuration. */
const NUMBER_MAX = 2 ** 31 - 1;

/**
 * Reads a monitor's settings as an SDK sends them; null when a field is of a wrong kind. Unknown fields are left out.
 * Source: `MonitorConfig` in relay-monitors/src/lib.rs.
 */
export function readMonitorConfig(sent: unknown): MonitorConfig | null {
  if (!isSource(sent)) return null;
  const schedule = readSchedule(sent.schedule);
  if (schedule === null) return null;
  const config: MonitorConfig = { schedule };
  for (const name of NUMBERS) {
    const value = sent[name];
    if (value === undefined || value === null) continue;
    if (!isCount(value)) return null;
    config[name] = value;
  }
  for (const name of TEXTS) {
    const value = sent[name];
    if (value === undefined || value === null) continue;
    if (typeof value !== 'string') return null;
    config[name] = toSafeText(cutText(value, TEXT_CHARS_MAX));
  }
  return config;
}

function readSchedule(sent: unknown): MonitorConfig['schedule'] | null {
  if (!isSource(sent)) return null;
  if (sent.type === 'crontab') return readCrontab(sent);
  const unit = INTERVAL_UNITS.find((name) => name === sent.unit);
  if (sent.type !== 'interval' || unit === undefined || !isCount(sent.value)) return null;
  return { type: 'interval', value: sent.value, unit };
}

function readCrontab({ value }: Source): MonitorConfig['schedule'] | null {
  if (typeof value !== 'string' || value === '' || value.length > SCHEDULE_CHARS_MAX) return null;
  return { type: 'crontab', value: toSafeText(value) };
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= NUMBER_MAX;

/** Slug of a monitor. */
const SLUG_CHARS_MAX = 50;

/**
 * The name of a monitor as it stands in addresses: lower-case letters, digits, `_` and `-`, at most 50 of them; empty
 * when nothing of it can stay. Sources: relay-monitors/src/lib.rs (the length); the slugs of Django, as Sentry makes them.
 */
export function slugOfMonitor(name: string): string {
  const plain = name
    .slice(0, 4 * SLUG_CHARS_MAX)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9_\s-]/g, '')
    .replace(/[\s-]+/g, '-');
  return trimDashes(trimDashes(plain).slice(0, SLUG_CHARS_MAX));
}

const trimDashes = (text: string): string => text.replace(/^[-_]+/, '').replace(/[-_]+$/, '');
