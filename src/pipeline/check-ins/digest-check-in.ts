import { parseUuid } from '#protocol/event-id.ts';
import type { DigestedCheckIn } from '#protocol/telemetry.ts';
import { accepted, type DigestItem, discarded } from '../item.ts';
import { isSource, type Source } from '../normalize/field-reader.ts';
import { toSafeText } from '../normalize/safe-text.ts';
import { parseJson } from '../parse-json.ts';
import { originOf, parseTraceId } from '../telemetry/row-identity.ts';
import { readMonitorConfig, slugOfMonitor } from './monitor-config.ts';

/** What SDKs may say; `missed` and `timeout` are found out here. */
const STATUSES = ['in_progress', 'ok', 'error'] as const;
/** A check-in with a longer environment is rejected. */
const ENVIRONMENT_CHARS_MAX = 64;
const DEFAULT_ENVIRONMENT = 'production';
/** Longer durations do not fit into 32 bits, where Relay keeps them. */
const DURATION_MAX_MS = 2 ** 31 - 1;

/** In place of an id: the check-in is about the latest one of its monitor and environment that is still open. */
export const LATEST_CHECK_IN = '0'.repeat(32);

/**
 * Understands a check-in of a cron job. It happens when it arrives: the protocol has no time of its own for it.
 * Sources: relay-monitors/src/lib.rs; https://develop.sentry.dev/sdk/telemetry/check-ins/.
 */
export const digestCheckIn: DigestItem = (item, context) => {
  const parsed = parseJson(item.payload);
  if (parsed.kind === 'unparseable') return discarded('monitor', 'invalid_json');
  const { monitor_slug, ...others } = parsed.value;
  // Before it is made a slug: what made a secret known may be lost then.
  const sent: Source = { ...others, monitor_slug: context.rules.scrubber.scrubKnown(monitor_slug) };
  const checkInId = checkInIdOf(sent.check_in_id);
  const status = STATUSES.find((name) => name === sent.status);
  const slug = typeof sent.monitor_slug === 'string' ? slugOfMonitor(sent.monitor_slug) : '';
  const environment = environmentOf(sent.environment);
  const durationMs = durationOf(sent.duration);
  if (checkInId === null || status === undefined || slug === '')
    return discarded('monitor', 'invalid_check_in');
  if (environment === null) return discarded('monitor', 'invalid_environment');
  if (durationMs === undefined) return discarded('monitor', 'invalid_duration');
  const configSent = sent.monitor_config ?? null;
  const monitorConfig = configSent === null ? null : readMonitorConfig(configSent);
  if (configSent !== null && monitorConfig === null) return discarded('monitor', 'invalid_monitor_config');

  const row: DigestedCheckIn = {
    ...originOf(context),
    checkInId,
    monitorSlug: slug,
    status,
    environment,
    occurredAt: context.receivedAtMs,
    durationMs,
    traceId: traceIdOf(sent.contexts),
    monitorConfig,
  };
  return accepted('monitor', { checkIns: [row] });
};

/** 32 hex digits, those of zeros among them; null for anything else. */
function checkInIdOf(value: unknown): string | null {
  if (value === undefined || value === null || value === '' || value === 'latest') return LATEST_CHECK_IN;
  return parseUuid(value);
}

function environmentOf(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return DEFAULT_ENVIRONMENT;
  if (typeof value !== 'string' || value.length > ENVIRONMENT_CHARS_MAX) return null;
  return toSafeText(value.trim()) || DEFAULT_ENVIRONMENT;
}

/** Milliseconds; null when it was not sent; undefined when it is no duration. */
function durationOf(value: unknown): number | null | undefined {
  if (value === undefined || value === null) return null;
  const seconds = typeof value === 'string' ? Number(value.trim() || Number.NaN) : value;
  if (typeof seconds !== 'number' || !(seconds >= 0)) return undefined;
  const milliseconds = seconds * 1000;
  return milliseconds <= DURATION_MAX_MS ? milliseconds : undefined;
}

const traceIdOf = (contexts: unknown): string | null =>
  isSource(contexts) && isSource(contexts.trace) ? parseTraceId(contexts.trace.trace_id) : null;
