import type { DigestedEvent } from '#protocol/event.ts';
import type { SearchColumns } from '../search-columns.ts';
import { ANY_EVENT, ATTRIBUTE_PREFIX, INDEXED_LISTS, TAG_PREFIX } from './indexed-fields.ts';

/**
 * Tells `visit` of each value that an event is indexed by; the field is `prefix` and `name` together. What an event does
 * not have is left out.
 */
export function eachValue(
  event: DigestedEvent,
  columns: SearchColumns,
  visit: (prefix: string, name: string, value: string) => void,
): void {
  const add = (name: string, value: string | null) => {
    if (value) visit('', name, value);
  };
  visit('', ANY_EVENT, '');
  add('type', event.type);
  add('level', event.level);
  add('platform', event.platform);
  add('logger', event.logger);
  add('title', event.title);
  add('culprit', event.culprit);
  add('release', event.release);
  add('dist', event.dist);
  add('environment', event.environment);
  add('transaction', event.transaction);
  add('sdk.name', event.sdk.name);
  add('sdk.version', event.sdk.version);
  add('error.handled', columns.isUnhandled ? 'false' : 'true');
  add('stack.in_app', columns.isInApp ? 'true' : 'false');
  for (const name of INDEXED_LISTS) for (const value of columns.lists[name]) add(name, value);
  for (const [key, value] of event.tags) if (value) visit(TAG_PREFIX, key, value);
  for (const [name, value] of columns.attributes) if (value) visit(ATTRIBUTE_PREFIX, name, value);
}
