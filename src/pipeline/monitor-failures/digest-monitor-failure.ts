import type { NormalizedEvent } from '#protocol/event.ts';
import type { MonitorFailure } from '#protocol/monitor-issue.ts';
import { buildEvent } from '../build-event.ts';
import { groupEvent } from '../grouping/group-event.ts';
import { hashOf } from '../grouping/hash-variants.ts';
import { type DigestItem, NOTHING } from '../item.ts';
import { parseJson } from '../parse-json.ts';

/** The type of the item in a record of the spool. No request can bring one: the edge does not take it. */
export const MONITOR_FAILURE_ITEM = 'monitor_failure';

/**
 * Makes the event of a monitor's failure. Nobody sent it: it has no outcome and counts against no quota. What a monitored
 * address answered may be in it, so known secrets are taken out.
 */
export const digestMonitorFailure: DigestItem = (item, context) => {
  const parsed = parseJson(item.payload);
  if (parsed.kind === 'unparseable') return NOTHING;
  const failure = context.rules.scrubber.scrubKnown(parsed.value as MonitorFailure);
  const payload = toPayload(failure, context.receivedAtMs);
  return { ...NOTHING, events: [buildEvent(payload, groupEvent(payload, context.rules.grouping), context)] };
};

/** The grouping hash of the issue that failures with this fingerprint belong to. */
export const monitorIssueHash = (fingerprint: readonly string[]): string => hashOf(fingerprint);

const toPayload = (failure: MonitorFailure, receivedAtMs: number): NormalizedEvent => ({
  event_id: failure.eventId,
  type: failure.type,
  level: failure.level,
  platform: 'other',
  timestamp: failure.at / 1_000,
  received: receivedAtMs / 1_000,
  fingerprint: failure.fingerprint,
  logentry: { formatted: failure.title },
  environment: failure.environment,
  tags: failure.tags,
  ...(failure.traceId && { contexts: { trace: { trace_id: failure.traceId } } }),
  monitor: failure.evidence,
});
