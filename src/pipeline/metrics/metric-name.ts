import { METRIC_NAME_CHARS_MAX } from '../telemetry/limits.ts';

/**
 * A metric's name with every run of other signs than letters, digits, `_`, `.` and `/` as one `_`; null when nothing
 * of it can be read. Source: relay-event-normalization/src/eap/trace_metric.rs.
 */
export function readMetricName(sent: unknown): string | null {
  if (typeof sent !== 'string' || sent.trim() === '') return null;
  return sent.replaceAll(/[^a-zA-Z0-9_./]+/g, '_').slice(0, METRIC_NAME_CHARS_MAX);
}
