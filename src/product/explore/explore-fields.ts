import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { eventKeyNamed } from '#product/search/event-fields.ts';
import { isIssueKey } from '#product/search/issue-filters.ts';
import { KNOWN_KEYS } from '#product/search/suggest/key-catalogue.ts';
import { checkRange, type Range } from '#product/time-buckets.ts';
import { eventScope, selectProjects } from '#product/visible-projects.ts';
import type { ExploredField } from '#storage/ports/explore-rows.ts';

/** What a search asks that is no value of an event. */
const NOT_SHOWN: ReadonlySet<string> = new Set([
  'has',
  'error.unhandled',
  'release.version',
  'release.package',
  'release.build',
]);

/** What rows of errors can be shown with besides tags, and grouped by. */
export const ERROR_FIELDS: readonly string[] = [
  'title',
  'timestamp',
  'issue',
  'project',
  'user',
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

/** A field of errors, as a search spells keys: `release`, `user.email`, `tags[level]`. Throws Invalid. */
export function readErrorField(name: string): ExploredField {
  if (name === 'user') return { kind: 'user' };
  if (name === 'issue') return { kind: 'grouping', standIns: new Map() };
  if (name === 'issue.id')
    throw invalid('"issue.id" is not available here: use issue, the short ID', 'field');
  if (name === 'timestamp')
    throw invalid('Errors cannot be grouped by timestamp: choose another field', 'field');
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
      throw invalid(`"${name}" ${known.reason}`, 'field');
  }
  throw invalid(`"${name}" can be searched but not displayed: choose another field`, 'field');
}
