import {
  EVENT_COLUMNS,
  EVENT_LISTS,
  EVENT_NUMBER_LISTS,
  type EventColumn,
  type EventList,
  type EventNumberList,
  type TextField,
} from '#storage/ports/search.ts';
import type { FilterToken } from './syntax/search-tokens.ts';

/** What a key means for an event; every key that is no other is a tag. */
export type EventKey =
  | { kind: 'text'; field: TextField }
  /** Its text may stand anywhere in the field. */
  | { kind: 'within' }
  | { kind: 'numbers'; name: EventNumberList }
  | { kind: 'moment' }
  | { kind: 'flag'; name: 'error.handled' | 'stack.in_app'; isReversed: boolean }
  /** Known of transactions, or not kept. */
  | { kind: 'elsewhere'; reason: string };

const COLUMNS: ReadonlyMap<string, EventColumn> = new Map<string, EventColumn>([
  // What is written `type` is the type of an exception.
  ...EVENT_COLUMNS.filter((name) => name !== 'type').map((name) => [name, name] as const),
  ['event.type', 'type'],
  ['env', 'environment'],
  ['platform.name', 'platform'],
  ['location', 'culprit'],
  ['trace_id', 'trace'],
  ['sentry:release', 'release'],
  ['sentry:dist', 'dist'],
]);
const LISTS: ReadonlyMap<string, EventList> = new Map<string, EventList>([
  ...EVENT_LISTS.map((name) => [name, name] as const),
  ['type', 'error.type'],
]);
const MOMENTS: ReadonlySet<string> = new Set(['timestamp', 'event.timestamp', 'time']);
/** Attributes are what the request, the place and the contexts say: `device.arch`, `http.method`. */
const ATTRIBUTE = /^(?:http|geo|device|os|browser|runtime|app|gpu)\.[a-zA-Z0-9_.-]+$/;
const OF_TRANSACTIONS = /^(?:measurements\.|spans\.|transaction\.(?:duration|op|status)$)/;

export function eventKeyOf(key: FilterToken['key']): EventKey {
  if (key.kind === 'aggregate')
    return { kind: 'elsewhere', reason: 'aggregates multiple events, which only Discover supports' };
  if (key.kind === 'tag') return tagKey(key.name);
  return eventKeyNamed(key.name);
}

/** As `eventKeyOf`, of a plain name, as `has:` is given one. */
export function eventKeyNamed(name: string): EventKey {
  const tag = /^tags\[([^\]]+)\]$/.exec(name)?.[1];
  if (tag !== undefined) return tagKey(tag);
  if (name === 'message') return { kind: 'within' };
  const column = COLUMNS.get(name);
  if (column) return { kind: 'text', field: { kind: 'column', name: column } };
  const list = LISTS.get(name);
  if (list) return { kind: 'text', field: { kind: 'list', name: list } };
  const numbers = EVENT_NUMBER_LISTS.find((candidate) => candidate === name);
  if (numbers) return { kind: 'numbers', name: numbers };
  if (MOMENTS.has(name)) return { kind: 'moment' };
  if (name === 'error.handled' || name === 'stack.in_app') return { kind: 'flag', name, isReversed: false };
  if (name === 'error.unhandled') return { kind: 'flag', name: 'error.handled', isReversed: true };
  if (name === 'stack.stack_level')
    return { kind: 'elsewhere', reason: 'is not stored: use stack.function or stack.filename' };
  if (OF_TRANSACTIONS.test(name)) {
    return { kind: 'elsewhere', reason: 'applies to transactions, which have no issues: remove it' };
  }
  if (ATTRIBUTE.test(name)) return { kind: 'text', field: { kind: 'attribute', name } };
  return tagKey(name);
}

const tagKey = (key: string): EventKey => ({ kind: 'text', field: { kind: 'tag', key } });
