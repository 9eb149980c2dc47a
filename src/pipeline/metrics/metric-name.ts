import { cutText, toSafeText } from '../normalize/safe-text.ts';
import { METRIC_NAME_CHARS_MAX, METRIC_UNIT_CHARS_MAX } from '../telemetry/limits.ts';

/**
 * A metric's name with every run of other signs than letters, digits, `_`, `.` and `/` as one `_`; null when nothing
 * of it can be read. Source: relay-event-normalization/src/eap/trace_metric.rs.
 */
export function readMetricName(sent: unknown): string | null {
  if (typeof sent !== 'string' || sent.trim() === '') return null;
  return sent.replaceAll(/[^a-zA-Z0-9_./]+/g, '_').slice(0, METRIC_NAME_CHARS_MAX);
}

/** Short forms of the units that the protocol knows. Source: relay-base-schema/src/metrics/units.rs. */
const ALIASES: Readonly<Record<string, string>> = {
  ns: 'nanosecond',
  us: 'microsecond',
  ms: 'millisecond',
  s: 'second',
  min: 'minute',
  h: 'hour',
  '': 'none',
  unit: 'none',
};

/** The unit by its long name; one of the SDK's own is kept; `none` without one. */
export function readUnit(sent: unknown): string {
  if (typeof sent !== 'string') return 'none';
  const unit = sent.trim().toLowerCase();
  if (Object.hasOwn(ALIASES, unit)) return ALIASES[unit] ?? 'none';
  return cutText(toSafeText(unit), METRIC_UNIT_CHARS_MAX);
}
