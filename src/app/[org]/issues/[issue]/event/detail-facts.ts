import type { StoredEvent } from '#storage/ports/events.ts';
import { formatBytes } from '#ui/format-number.ts';

/** Who sent an event, for which release, and how large it is: what is known, by names for people. */
export function detailFacts({
  payload,
  eventId,
  isBodySampled,
}: StoredEvent): Readonly<Record<string, string>> {
  const { sdk, ...event } = payload;
  const facts: Record<string, string | null | undefined> = {
    SDK: [sdk?.name, sdk?.version].filter(Boolean).join(' '),
    Release: event.release,
    Distribution: event.dist,
    Environment: event.environment,
    Transaction: event.transaction,
    Server: event.server_name,
    Logger: event.logger,
    Packages: sdk?.packages?.map((each) => [each.name, each.version].filter(Boolean).join(' ')).join('\n'),
    Integrations: sdk?.integrations?.join(', '),
    Fingerprint: event.fingerprint?.join(', '),
    'Event id': eventId,
    'Size as stored': isBodySampled ? null : formatBytes(Buffer.byteLength(JSON.stringify(payload))),
  };
  return Object.fromEntries(
    Object.entries(facts).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
}
