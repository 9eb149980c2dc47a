import type { ForeignRow } from '#storage/ports/foreign-database.ts';
import { jsonObjectOf, numberOf, textOf, timeOf } from '../foreign-values.ts';
import { type JsonObject, withoutNull } from '../json-values.ts';

/** GlitchTip's numbers of levels; 0 is for no level. */
const LEVELS = [null, 'debug', 'info', 'warning', 'error', 'fatal'] as const;

export const levelName = (value: unknown): string | null => LEVELS[numberOf(value)] ?? null;

/** What is in the column beside what an SDK sends: what GlitchTip found out. */
const DERIVED = ['metadata', 'message', 'title'];

/**
 * The event as an SDK would send it, from the columns that GlitchTip splits it into. Without `data`, which it leaves out when it
 * thins events, only its title is left.
 */
export function eventPayload(row: ForeignRow, eventId: string): JsonObject {
  const data = jsonObjectOf(row.data) ?? {};
  const tags = jsonObjectOf(row.tags) ?? {};
  const sent = Object.fromEntries(Object.entries(data).filter(([key]) => !DERIVED.includes(key)));
  const isDescribed = 'exception' in data || 'logentry' in data || 'csp' in data;
  return withoutNull({
    ...sent,
    logentry: isDescribed ? sent.logentry : { formatted: data.message ?? textOf(row.title) ?? '' },
    event_id: eventId,
    timestamp: timeOf(row.timestamp),
    level: levelName(row.level),
    platform: data.platform ?? 'other',
    release: textOf(row.release) ?? textOf(tags.release),
    environment: data.environment ?? textOf(tags.environment),
    transaction: textOf(row.transaction),
    server_name: textOf(tags.server_name),
    tags: Object.fromEntries(Object.entries(tags).filter(([key]) => !FIELDS.has(key))),
  });
}

/** Tags that are fields of an event. */
const FIELDS: ReadonlySet<string> = new Set(['release', 'environment', 'server_name']);
