import { closestWord } from '#lib/closest-word.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { eventScope, selectProjects } from '#product/visible-projects.ts';
import { readUnusual } from './read-unusual.ts';
import { KNOWN_KEYS } from './suggest/key-catalogue.ts';

/** Whoever looks at an empty list does not wait longer to learn why. */
const ANSWER_MS_MAX = 2_000;
/** Keys of one search that are looked up. */
const KEYS_MAX = 3;

/** Why a valid search finds nothing: an unknown key, or an email address searched as a word. null when unknown. */
export async function explainNothing(
  ctx: Context,
  { query, projectSlugs }: { query: string; projectSlugs: readonly string[] },
): Promise<string | null> {
  requireRight(ctx, 'event:read');
  const { tags, addresses } = readUnusual(query);
  const projects = await selectProjects(ctx, projectSlugs);
  const asked = tags.slice(0, KEYS_MAX);
  const areKnown = await Promise.all(asked.map(hasEvents));
  const key = asked.find((_, index) => !areKnown[index]);
  if (key !== undefined) {
    const meant = closestWord(
      key,
      KNOWN_KEYS.map((each) => each.key),
    );
    return `No stored event has a field or tag "${key}".${meant === null ? '' : ` Did you mean "${meant}"?`}`;
  }
  const [address] = addresses;
  return address === undefined ? null : `To find a user’s issues, use user.email:${address}`;

  /** True as well when the event store does not answer: then nothing is claimed. */
  async function hasEvents(key: string): Promise<boolean> {
    const scope = eventScope(ctx, projects);
    const present = { kind: 'present', field: { kind: 'tag', key }, isNegated: false } as const;
    const found = await orUnavailable(ctx.stores.events.findHashes(scope, present, null, 1), ANSWER_MS_MAX);
    return !found.ok || found.value.hashes.length > 0;
  }
}
