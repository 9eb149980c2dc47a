import { orUnavailable } from '#lib/or-unavailable.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { isIssueKey } from '#product/search/issue-filters.ts';
import { KNOWN_KEYS } from '#product/search/suggest/key-catalogue.ts';
import type { Range } from '#product/time-buckets.ts';
import { eventScope, selectProjects } from '#product/visible-projects.ts';

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
  const scope = eventScope(
    ctx,
    projects.map((project) => project.id),
  );
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
