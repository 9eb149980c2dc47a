import { z } from 'zod';
import type { EventEntry } from '#app/api/0/shapes/event-entries.ts';
import type { NormalizedEvent } from '#protocol/event.ts';

export const META = z
  .object({
    entries: z.record(z.string(), z.object({ data: z.record(z.string(), z.unknown()) })),
    message: z.record(z.string(), z.unknown()).nullable(),
    user: z.record(z.string(), z.unknown()).nullable(),
    contexts: z.record(z.string(), z.unknown()).nullable(),
    context: z.record(z.string(), z.unknown()).nullable(),
    packages: z.record(z.string(), z.unknown()).nullable(),
    sdk: z.record(z.string(), z.unknown()).nullable(),
    tags: z.record(z.string(), z.object({ value: z.record(z.string(), z.unknown()) })),
  })
  .meta({ id: 'Meta' });

type Branch = Readonly<Record<string, unknown>>;

/** Which part of an event's `_meta` belongs to which entry. */
const FIELD_OF_ENTRY: Readonly<Record<string, string>> = {
  message: 'logentry',
  exception: 'exception',
  stacktrace: 'stacktrace',
  threads: 'threads',
  breadcrumbs: 'breadcrumbs',
  request: 'request',
  csp: 'csp',
  debugmeta: 'debug_meta',
};

/**
 * What was changed in the event before it was stored, arranged as its parts are in the answer: entries by their place,
 * tags by theirs, extra data as `context`. Source: sentry, src/sentry/api/serializers/models/event.py
 */
export function serializeMeta(
  { _meta: meta, tags: ownTags }: NormalizedEvent,
  entries: readonly EventEntry[],
  tags: readonly { key: string }[],
) {
  const entryMetas = entries.flatMap(({ type }, index) => {
    const branch = branchAt(meta, FIELD_OF_ENTRY[type] ?? '');
    return branch === null ? [] : [[String(index), { data: renameFields(type, branch) }] as const];
  });
  const tagMetas = (ownTags ?? []).flatMap(([key], index) => {
    const value = branchAt(branchAt(branchAt(meta, 'tags'), String(index)), '1');
    const place = tags.findIndex((tag) => tag.key === key);
    return value === null || place < 0 ? [] : [[String(place), { value }] as const];
  });
  return {
    entries: Object.fromEntries(entryMetas),
    message: branchAt(branchAt(meta, 'logentry'), 'formatted'),
    user: branchAt(meta, 'user'),
    contexts: branchAt(meta, 'contexts'),
    context: branchAt(meta, 'extra'),
    packages: branchAt(meta, 'modules'),
    sdk: branchAt(meta, 'sdk'),
    tags: Object.fromEntries(tagMetas),
  };
}

/** The answer calls the query string of a request `query`. */
function renameFields(type: string, branch: Branch): Branch {
  if (type !== 'request' || !('query_string' in branch)) return branch;
  const { query_string: query, ...others } = branch;
  return { ...others, query };
}

function branchAt(value: unknown, name: string): Branch | null {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null;
  const branch = (value as Branch)[name];
  return typeof branch === 'object' && branch !== null && !Array.isArray(branch) ? (branch as Branch) : null;
}
