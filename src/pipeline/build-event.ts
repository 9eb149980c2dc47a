import type { DigestedEvent, NormalizedEvent } from '#protocol/event.ts';
import { deriveTags } from './derive-tags.ts';
import type { Grouping } from './grouping/grouping-types.ts';
import type { ItemContext } from './item.ts';
import { mainException } from './main-exception.ts';
import { culpritOf, describeEvent } from './title.ts';

/** An event with what is derived from its payload, which was normalized, scrubbed and grouped. */
export function buildEvent(
  payload: NormalizedEvent,
  grouping: Pick<Grouping, 'hashes' | 'title'>,
  context: Pick<ItemContext, 'organizationId' | 'projectId' | 'keyId' | 'receivedAtMs'>,
): DigestedEvent {
  const { title, metadata } = describeEvent(payload);
  return {
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
}

const messageOf = (event: NormalizedEvent): string =>
  event.logentry?.formatted ?? event.logentry?.message ?? mainException(event)?.value ?? '';

function traceIdOf(event: NormalizedEvent): string | null {
  const id = event.contexts?.trace?.trace_id;
  const text = typeof id === 'string' ? id.toLowerCase().replaceAll('-', '') : '';
  return /^[0-9a-f]{32}$/.test(text) ? text : null;
}
