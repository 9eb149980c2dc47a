import { ISSUE_SORTS } from '#domain/issues/issue.ts';
import type { RecordOf } from '../../records.ts';
import { textOf } from '../foreign-values.ts';
import type { JsonObject } from '../json-values.ts';

const OWNERS: ReadonlySet<unknown> = new Set(['owner', 'owner_pinned']);

/** A search of issues as Sentry's API answers it, or as an export has its fields. */
export function savedSearchRecord(search: JsonObject, owner: string | null): RecordOf<'saved_search'> {
  const query = textOf(search.query, 10_000) ?? '';
  return {
    kind: 'saved_search',
    id: String(search.id),
    name: textOf(search.name) ?? (query || 'Saved search'),
    query,
    sort: ISSUE_SORTS.find((sort) => sort === search.sort) ?? null,
    owner,
    isShared: !OWNERS.has(search.visibility),
    dataset: 'issues',
    question: null,
  };
}
