import { invalid } from '#lib/errors.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { eventKeyNamed } from '#product/search/event-fields.ts';
import { isIssueKey } from '#product/search/issue-filters.ts';
import { KNOWN_KEYS } from '#product/search/suggest/key-catalogue.ts';
import { checkRange, type Range } from '#product/time-buckets.ts';
import { eventScope, selectProjects } from '#product/visible-projects.ts';
import type { ExploredField } from '#storage/ports/event-explore.ts';

const TAG_KEYS_MAX = 200;
/** A table can be read without the names of tags. */
const ANSWER_MS_MAX = 2_000;

/** Names that columns and groups can have: fields, then the tags of the newest events, each once. */
export async function listExploreFields(
  ctx: Context,
  input: { projectSlugs: readonly string[]; range: Range },
): Promise<readonly string[]> {
  requireRight(ctx, 'event:read');
  const projects = await selectProjects(ctx, input.projectSlugs);
  const scope = eventScope(ctx, projects);
  const tags = await orUnavailable(
    ctx.stores.events.listTagKeys(scope, input.range, TAG_KEYS_MAX),
    ANSWER_MS_MAX,
  );
  return [...new Set([...FIELDS, ...(tags.ok ? tags.value : [])])];
}

/** What a search asks that is no value of an event. */
const NOT_SHOWN: ReadonlySet<string> = new Set([
  'has',
  'error.unhandled',
  'release.version',
  'release.package',
  'release.build',
]);

const FIELDS: readonly string[] = [
  'timestamp',
  'issue',
  'project',
  ...KNOWN_KEYS.map(({ key }) => key).filter((key) => !isIssueKey(key) && !NOT_SHOWN.has(key)),
];

const LISTED_TAG_KEYS_MAX = 1_000;

/** Keys of the tags that the newest events of the projects carry, every visible one for none, the most frequent first. */
export async function listTagKeys(
  ctx: Context,
  input: { projectSlugs: readonly string[]; range: Range },
): Promise<readonly string[]> {
  requireRight(ctx, 'event:read');
  checkRange(input.range);
  const projects = await selectProjects(ctx, input.projectSlugs);
  const scope = eventScope(ctx, projects);
  return ctx.stores.events.listTagKeys(scope, input.range, LISTED_TAG_KEYS_MAX);
}

/** What a column shows of an event: a field, or what every event has anyway. */
export type ExploreColumn =
  | { name: string; shows: 'timestamp' }
  | { name: string; shows: 'issue' }
  | { name: string; shows: 'field'; field: ExploredField };

export const COLUMNS_MAX = 12;
const NAME_CHARACTERS_MAX = 200;

/** Reads names of columns as a search spells keys: `release`, `user.email`, `tags[level]`. Throws Invalid. */
export function readColumns(names: readonly string[]): readonly ExploreColumn[] {
  const distinct = [...new Set(names.map((name) => name.trim()).filter((name) => name !== ''))];
  if (distinct.length > COLUMNS_MAX) {
    throw invalid(`A table can have at most ${COLUMNS_MAX} columns: remove some`, 'column');
  }
  return distinct.map((name) => {
    if (name === 'timestamp') return { name, shows: 'timestamp' };
    if (name === 'issue') return { name, shows: 'issue' };
    return { name, shows: 'field', field: readField(name, 'column') };
  });
}

/** The field that events are grouped by. Throws Invalid. */
export function readGroupField(name: string): ExploredField {
  if (name === 'timestamp' || name === 'issue') {
    throw invalid(`Events cannot be grouped by ${name}: choose a tag or another field`, 'group');
  }
  return readField(name, 'group');
}

function readField(name: string, input: 'column' | 'group'): ExploredField {
  if (name.length > NAME_CHARACTERS_MAX) {
    throw invalid(`A field name can have at most ${NAME_CHARACTERS_MAX} characters`, input);
  }
  if (name === 'project') return { kind: 'project' };
  if (name === 'message') return { kind: 'column', name: 'message' };
  const known = eventKeyNamed(name);
  switch (known.kind) {
    case 'text':
      return known.field;
    case 'numbers':
      return { kind: 'numbers', name: known.name };
    case 'flag':
      if (!known.isReversed) return { kind: 'flag', name: known.name };
      break;
    case 'elsewhere':
      throw invalid(`"${name}" ${known.reason}`, input);
  }
  throw invalid(`"${name}" can be searched but not displayed: choose another field`, input);
}
