import { parseEventId } from '#protocol/event-id.ts';
import type { DigestedTransaction } from '#protocol/telemetry.ts';
import { deriveTags } from '../derive-tags.ts';
import type { ItemContext } from '../item.ts';
import { isSource, type Source } from '../normalize/field-reader.ts';
import { cutText } from '../normalize/safe-text.ts';
import { OP_CHARS_MAX, STATUS_CHARS_MAX } from '../telemetry/limits.ts';
import { originOf } from '../telemetry/row-identity.ts';
import type { TransactionCore, TransactionPayload } from './transaction-payload.ts';

/** The row of a transaction; everything that may be private comes from the scrubbed payload. */
export function transactionRow(
  payload: TransactionPayload,
  scrubbed: Source,
  core: TransactionCore,
  spanCount: number,
  context: ItemContext,
): DigestedTransaction {
  const contexts = objectAt(scrubbed, 'contexts');
  const trace = objectAt(contexts, 'trace');
  const user = objectAt(scrubbed, 'user');
  const sdk = objectAt(scrubbed, 'sdk');
  const startedAtUs = Math.round(payload.start_timestamp * 1_000_000);
  return {
    ...originOf(context),
    eventId: payload.event_id,
    traceId: core.traceId,
    spanId: core.spanId,
    name: textAt(scrubbed, 'transaction') ?? payload.transaction,
    op: cutText(textAt(trace, 'op') ?? 'default', OP_CHARS_MAX),
    status: cutText(textAt(trace, 'status')?.toLowerCase() ?? 'unknown', STATUS_CHARS_MAX),
    platform: payload.platform,
    startedAtUs,
    endedAtUs: Math.max(startedAtUs, Math.round(payload.timestamp * 1_000_000)),
    release: textAt(scrubbed, 'release'),
    dist: textAt(scrubbed, 'dist'),
    environment: textAt(scrubbed, 'environment'),
    user: {
      id: textAt(user, 'id'),
      email: textAt(user, 'email'),
      username: textAt(user, 'username'),
      ip: textAt(user, 'ip_address'),
    },
    sdk: { name: textAt(sdk, 'name') ?? '', version: textAt(sdk, 'version') ?? '' },
    tags: tagsOf(scrubbed, payload),
    measurements: Object.fromEntries(
      Object.entries(payload.measurements ?? {}).map(([name, { value }]) => [name, value]),
    ),
    spanCount,
    profileId: parseEventId(objectAt(contexts, 'profile').profile_id),
    replayId: parseEventId(objectAt(contexts, 'replay').replay_id),
    payload: scrubbed,
  };
}

/** As those of events; what a scrubber emptied is left out. */
function tagsOf(scrubbed: Source, payload: TransactionPayload): DigestedTransaction['tags'] {
  const tags = Array.isArray(scrubbed.tags) ? scrubbed.tags : [];
  const contexts = Object.entries(objectAt(scrubbed, 'contexts'));
  const request = objectAt(scrubbed, 'request');
  const user = objectAt(scrubbed, 'user');
  return deriveTags({
    event_id: payload.event_id,
    type: 'default',
    timestamp: payload.timestamp,
    received: payload.received,
    platform: payload.platform,
    level: payload.level,
    environment: textAt(scrubbed, 'environment'),
    release: textAt(scrubbed, 'release'),
    dist: textAt(scrubbed, 'dist'),
    transaction: textAt(scrubbed, 'transaction'),
    server_name: textAt(scrubbed, 'server_name'),
    logger: textAt(scrubbed, 'logger'),
    tags: tags.filter(isTag),
    contexts: Object.fromEntries(contexts.filter((entry): entry is [string, Source] => isSource(entry[1]))),
    request: { url: textAt(request, 'url') },
    user: {
      id: textAt(user, 'id'),
      email: textAt(user, 'email'),
      username: textAt(user, 'username'),
      ip_address: textAt(user, 'ip_address'),
    },
  });
}

export const isTag = (tag: unknown): tag is readonly [string, string] =>
  Array.isArray(tag) && typeof tag[0] === 'string' && typeof tag[1] === 'string';

/** Fields of a payload that went through a scrubber, which may have emptied or replaced anything. */
export const objectAt = (source: Source, key: string): Source => {
  const value = Object.hasOwn(source, key) ? source[key] : undefined;
  return isSource(value) ? value : NOTHING_THERE;
};

/** null when it is absent, empty or no text. */
export const textAt = (source: Source, key: string): string | null => {
  const value = Object.hasOwn(source, key) ? source[key] : undefined;
  return typeof value === 'string' && value !== '' ? value : null;
};

const NOTHING_THERE: Source = {};
