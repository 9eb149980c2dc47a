import { compileOwnership, findOwners, type OwnedEvent } from '#pipeline/ownership/find-owners.ts';
import type { OwnershipRule } from '#pipeline/ownership/ownership-types.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { loadOwnerDirectory, type Owner, resolveOwner } from './resolve-owner.ts';

const OWNERS_MAX = 10;

export type SuggestedOwner = {
  owner: Owner;
  /** The rule that names the owner, and what of the event it fits: why it is this one. */
  rule: Pick<OwnershipRule, 'source' | 'line' | 'text' | 'type' | 'pattern'>;
  value: string;
};

/** Whom the rules of the project name for an event, the one who counts most first, at most 10. */
export async function suggestOwners(
  ctx: Context,
  projectId: number,
  event: OwnedEvent,
): Promise<readonly SuggestedOwner[]> {
  requireRight(ctx, 'event:read');
  const ownership = await ctx.stores.ownership.find(ctx.organization.id, projectId);
  if (!ownership || (ownership.rules === '' && ownership.codeowners === '')) return [];
  const matches = findOwners(compileOwnership(ownership), event);
  if (matches.length === 0) return [];
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
  return [...suggested.values()].slice(0, OWNERS_MAX);
}
