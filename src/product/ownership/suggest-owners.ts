import { findOwners, type OwnedEvent } from '#pipeline/ownership/find-owners.ts';
import type { OwnershipRule } from '#pipeline/ownership/parse-ownership-rules.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { compiledOwnership, loadOwnerDirectory, type Owner, resolveOwner } from './resolve-owner.ts';

const OWNERS_MAX = 10;
/** Comparisons of characters for one event: about 40 ms of plain rules, half a second of the dearest ones. */
const COMPARISONS_MAX = 50_000_000;

export type SuggestedOwner = {
  owner: Owner;
  /** The rule that names the owner, and what of the event it fits: why it is this one. */
  rule: Pick<OwnershipRule, 'source' | 'line' | 'text' | 'type' | 'pattern'>;
  value: string;
};

export type OwnerSuggestions = {
  /** The one who counts most first, at most 10. */
  owners: readonly SuggestedOwner[];
  /** False when so many rules stand against so many calls that those that count least were not tried. */
  isComplete: boolean;
};

/** Whom the rules of the project name for an event. */
export async function suggestOwners(
  ctx: Context,
  projectId: number,
  event: OwnedEvent,
): Promise<OwnerSuggestions> {
  requireRight(ctx, 'event:read');
  const ownership = await ctx.stores.ownership.find(ctx.organization.id, projectId);
  if (!ownership || (ownership.rules === '' && ownership.codeowners === '')) return NONE;
  const budget = { left: COMPARISONS_MAX };
  const { matches, isComplete } = findOwners(compiledOwnership(ownership), event, { budget });
  if (matches.length === 0) return { owners: [], isComplete };
  const directory = await loadOwnerDirectory(ctx);
  const suggested = new Map<string, SuggestedOwner>();
  for (const { rule, value } of matches) {
    for (const reference of rule.owners) {
      const owner = resolveOwner(directory, reference);
      if (!owner) continue;
      const key = owner.kind === 'user' ? owner.userId : `team:${owner.teamId}`;
      if (!suggested.has(key)) suggested.set(key, { owner, rule, value });
    }
    // The last rule of all is the one that counts: what it takes from its owners, no earlier one gives.
    if (rule.owners.length === 0) break;
  }
  return { owners: [...suggested.values()].slice(0, OWNERS_MAX), isComplete };
}

const NONE: OwnerSuggestions = { owners: [], isComplete: true };
