import type { DigestedEvent, NormalizedEvent } from '#protocol/event.ts';
import type { Outcome } from '#protocol/outcome.ts';
import { applyCrash, problemOfCrash } from './crash-reports/apply-crash.ts';
import { deriveTags } from './derive-tags.ts';
import { prepareAndGroupEvent } from './grouping/group-event.ts';
import type { ItemContext, RawItem } from './item.ts';
import { mainException } from './main-exception.ts';
import { normalizeEvent } from './normalize/normalize-event.ts';
import { parseJson } from './parse-json.ts';
import { symbolicateEvent } from './symbolicate/symbolicate-event.ts';
import { culpritOf, describeEvent } from './title.ts';

export type DigestResult =
  | { kind: 'event'; event: DigestedEvent }
  /** The payload says that it is a transaction, as `/store/` may be sent one. */
  | { kind: 'transaction' }
  | {
      kind: 'discarded';
      outcome: Outcome;
      /** Machine-readable. */
      reason: string;
      /** What is wrong, in words, for the sender. */
      detail: string;
    };

/**
 * Understands one event: parse, normalize (the clock rules included), filter, symbolicate, scrub, describe, tag, group.
 * Never throws, whatever the bytes are, and gives the same result for the same input and the same uploads.
 */
export function digestEvent(item: RawItem, context: ItemContext): DigestResult {
  const parsed = parseJson(item.payload);
  if (parsed.kind === 'unparseable') {
    return { kind: 'discarded', outcome: 'invalid', reason: 'invalid_json', detail: parsed.detail };
  }
  if (parsed.value.type === 'transaction') return { kind: 'transaction' };
  const value = item.crash ? applyCrash(parsed.value, item.crash) : parsed.value;
  const problem = item.crash && problemOfCrash(item.crash);
  const read = normalizeEvent(value, {
    bytes: item.payload,
    // Nobody knows what a dump holds.
    unsafeText: parsed.unsafeText || item.crash !== null,
    ...context,
  });
  const normalized = problem ? { ...read, errors: [problem, ...(read.errors ?? [])] } : read;
  const filter = context.rules.filters.filterEvent(normalized, context);
  if (filter !== null) {
    return {
      kind: 'discarded',
      outcome: 'filtered',
      reason: filter,
      detail: `Filtered by the project's inbound filter ${filter}`,
    };
  }
  const symbolicated = context.symbols ? symbolicateEvent(normalized, context.symbols) : normalized;
  const scrubbed = context.rules.scrubber.scrubEvent(symbolicated);
  const { event: payload, grouping } = prepareAndGroupEvent(scrubbed, context.rules.grouping);
  const { title, metadata } = describeEvent(payload);
  const event: DigestedEvent = {
    organizationId: context.organizationId,
    projectId: context.projectId,
    keyId: context.keyId,
    eventId: payload.event_id,
    type: payload.type,
    level: payload.level,
    platform: payload.platform,
    occurredAt: Math.round(payload.timestamp * 1000),
    receivedAt: context.receivedAtMs,
    title: grouping.title ?? title,
    culprit: culpritOf(payload),
    message: messageOf(payload),
    metadata,
    groupingHash: grouping.hashes[0] as string,
    groupingHashes: grouping.hashes,
    logger: payload.logger ?? null,
    release: payload.release ?? null,
    dist: payload.dist ?? null,
    environment: payload.environment ?? null,
    transaction: payload.transaction ?? null,
    traceId: traceIdOf(payload),
    user: {
      id: payload.user?.id ?? null,
      email: payload.user?.email ?? null,
      username: payload.user?.username ?? null,
      ip: payload.user?.ip_address ?? null,
    },
    sdk: { name: payload.sdk?.name ?? '', version: payload.sdk?.version ?? '' },
    tags: deriveTags(payload),
    hasBody: true,
    payload,
  };
  return { kind: 'event', event };
}

const messageOf = (event: NormalizedEvent): string =>
  event.logentry?.formatted ?? event.logentry?.message ?? mainException(event)?.value ?? '';

function traceIdOf(event: NormalizedEvent): string | null {
  const id = event.contexts?.trace?.trace_id;
  const text = typeof id === 'string' ? id.toLowerCase().replaceAll('-', '') : '';
  return /^[0-9a-f]{32}$/.test(text) ? text : null;
}
