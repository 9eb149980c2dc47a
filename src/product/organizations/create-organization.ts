import { conflict, forbidden, notFound } from '#lib/errors.ts';
import { suggestSlug } from '#lib/slug.ts';
import { audited, organizationTarget } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { isInstanceOwner } from '#product/retention/require-instance-owner.ts';
import { checkNewSlug, checkOrganizationName } from './check-organization-name.ts';

/** Requests read them all to find out which are a person's. */
const ORGANIZATIONS_MAX = 1_000;

export type NewOrganization = {
  name: string;
  /** Made from the name when absent or blank. */
  slug?: string | undefined;
  /** Who becomes its owner; absent for the person who creates it. */
  ownerId?: string;
};

/**
 * Creates an organization with its first owner, and answers the creator's context in it. Throws Forbidden for everybody
 * but the instance's owner, who need not be in any organization, Invalid naming the field, Conflict for a taken slug and past the bound.
 */
export async function createOrganization(
  creator: Omit<Context, 'organization'>,
  input: NewOrganization,
): Promise<Context> {
  const { actor, stores } = creator;
  if (!isInstanceOwner(creator)) {
    throw forbidden('Only the owner of this instance can create organizations: ask them');
  }
  requireRight(creator, 'org:admin');
  const name = checkOrganizationName(input.name);
  const slug = checkNewSlug(input.slug?.trim() || suggestSlug(name));
  const userId = await findFirstOwner(creator, input.ownerId);
  if ((await stores.projects.listOrganizations()).length >= ORGANIZATIONS_MAX) {
    throw conflict(`This instance has ${ORGANIZATIONS_MAX} organizations already: delete one first`);
  }
  const organization = await stores.inTransaction(async (within) => {
    const created = await within.projects.createOrganization({ slug, name });
    const ctx: Context = { ...creator, stores: within, organization: created };
    await audited(
      ctx,
      () => within.accounts.addMembership({ organizationId: created.id, userId, role: 'owner' }),
      () => ({ action: 'org.create', target: organizationTarget(ctx) }),
    );
    return created;
  });
  return { ...creator, organization, actor: 'role' in actor ? { ...actor, role: 'owner' } : actor };
}

async function findFirstOwner(
  { actor, stores }: Pick<Context, 'actor' | 'stores'>,
  ownerId?: string,
): Promise<string> {
  if (ownerId === undefined && 'userId' in actor) return actor.userId;
  const owner = ownerId ? await stores.accounts.findUser(ownerId) : await stores.accounts.findInstanceOwner();
  if (!owner) throw notFound('There is no such account to own the organization');
  return owner.id;
}
