import { eventKeyNamed } from '#product/search/event-fields.ts';
import type { ExploredField } from '#storage/ports/explore-rows.ts';

/** A field of errors as a search spells it: `release`, and `tags[level]` for a tag whose name means something else. */
export function eventFieldName(field: ExploredField): string {
  if (field.kind === 'grouping') return 'issue';
  if (field.kind === 'user' || field.kind === 'project') return field.kind;
  if (field.kind !== 'tag') return field.name;
  const known = eventKeyNamed(field.key);
  return known.kind === 'text' && known.field.kind === 'tag' ? field.key : `tags[${field.key}]`;
}
