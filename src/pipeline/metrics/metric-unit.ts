import { cutText, toSafeText } from '../normalize/safe-text.ts';
import { METRIC_UNIT_CHARS_MAX } from '../telemetry/limits.ts';

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
