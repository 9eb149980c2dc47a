import type { Organization } from '#domain/projects.ts';
import { conflict, forbidden, invalid, isErrataError, notFound } from '#lib/errors.ts';
import { isSlug, suggestSlug } from '#lib/slug.ts';
import { isInstanceOwner } from '#product/acting-user.ts';
import { audited, organizationTarget } from '#product/audit/audited.ts';
import { type Context, inTransaction } from '#product/context.ts';
import { certifyDeletion } from '#product/data-requests/certify-deletion.ts';
import { requireRight } from '#product/permissions.ts';
import type { Services } from '#product/services.ts';
import type { OrganizationChange } from './organization-store.ts';

/** Requests read them all to find out which are a person's. */
const ORGANIZATIONS_MAX = 1_000;

export type NewOrganization = {
  name: string;
  /** Made from the name when absent or blank. */
  slug?: string | undefined;
  /** Who becomes its owner; absent for the person who creates it. */
  ownerId?: string;
};

/** Creates an organization and its owner; returns the context in it. Throws Forbidden, Invalid, Conflict. */
export async function createOrganization(
  creator: Omit<Context, 'organization'>,
  input: NewOrganization,
): Promise<Context> {
  const { actor, stores } = creator;
  if (!isInstanceOwner(creator)) {
    throw forbidden('Only the owner of this instance can create organizations');
  }
  requireRight(creator, 'org:admin');
  const name = checkOrganizationName(input.name);
  const slug = checkNewSlug(input.slug?.trim() || suggestSlug(name));
  const userId = await findFirstOwner(creator, input.ownerId);
  if ((await stores.projects.listOrganizations()).length >= ORGANIZATIONS_MAX) {
    throw conflict(`This instance already has ${ORGANIZATIONS_MAX} organizations: delete one first`);
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
  if (!owner) throw notFound('The account that would own the organization does not exist');
  return owner.id;
}

/** Changes name, slug or openness; former slugs redirect. Throws Invalid, Conflict for a taken slug. */
export async function updateOrganization(ctx: Context, change: OrganizationChange): Promise<Organization> {
  requireRight(ctx, 'org:write');
  const checked = checkChange(change);
  const before = ctx.organization;
  return audited(
    ctx,
    async (ctx) => {
      const updated = await ctx.stores.organizations.update(before.id, checked, ctx.now());
      if (!updated) throw notFound(`Organization ${before.slug} no longer exists`);
      return updated;
    },
    (after) => {
      const changed = (['name', 'slug', 'isOpen'] as const).filter((field) => before[field] !== after[field]);
      if (changed.length === 0) return null;
      const data = changed.map((field) => [field, { from: before[field], to: after[field] }]);
      return { action: 'org.edit', target: organizationTarget(ctx), data: Object.fromEntries(data) };
    },
  );
}

const checkChange = ({ name, slug, isOpen }: OrganizationChange): OrganizationChange => ({
  isOpen,
  slug: slug === undefined ? undefined : checkNewSlug(slug),
  ...(name !== undefined && { name: checkOrganizationName(name) }),
});

/** Deletes the organization, its data within minutes. Throws Invalid unless `confirmation` is its slug, Conflict. */
export async function deleteOrganization(ctx: Context, input: { confirmation: string }): Promise<void> {
  requireRight(ctx, 'org:admin');
  if (ctx.actor.kind !== 'user')
    throw forbidden('Only a signed-in owner can delete an organization: sign in');
  const { id, slug } = ctx.organization;
  if (input.confirmation.trim() !== slug) {
    throw invalid(`Type the slug ${slug} to delete the organization`, 'confirmation');
  }
  const own = await ctx.stores.projects.listProjects(id);
  if (own.some(({ isInternal }) => isInternal)) {
    throw conflict(
      `${slug} contains Errata's own error project and cannot be deleted: to remove it, stop the server and delete its data directory`,
    );
  }
  // Its audit log goes with it, so there is no entry to keep, but for what the operator can print.
  await inTransaction(ctx, async (within) => {
    const { stores } = within;
    const projectIds = own.map((project) => project.id);
    await certifyDeletion(within, { subject: 'organization', subjectName: slug, projectIds });
    await stores.projectDeletions.deleteAllProjects(id, ctx.now());
    if (!(await stores.organizations.delete(id)))
      throw notFound(`Organization ${slug} has already been deleted`);
  });
}

/** The present slug of the organization that had this one before; null when there is none, or the user is no member. */
export async function findRenamedOrganization(
  { stores }: Pick<Services, 'stores'>,
  formerSlug: string,
  userId: string,
): Promise<string | null> {
  const organization = await stores.organizations.findByFormerSlug(formerSlug);
  const role = organization && (await stores.accounts.findRole(organization.id, userId));
  return role ? organization.slug : null;
}

const NAME_CHARACTERS_MAX = 100;

/** The name without space around it. Throws Invalid naming the field. */
export function checkOrganizationName(name: string): string {
  const checked = name.trim();
  if (checked === '' || checked.length > NAME_CHARACTERS_MAX || /\p{Cc}/u.test(checked)) {
    throw invalid(`Enter a name of 1 to ${NAME_CHARACTERS_MAX} characters`, 'name');
  }
  return checked;
}

/** As `checkOrganizationSlug`, for forms whose field is `slug`. */
export function checkNewSlug(slug: string): string {
  try {
    checkOrganizationSlug(slug);
    return slug;
  } catch (error) {
    throw isErrataError(error) ? invalid(error.message, 'slug') : error;
  }
}

/** First segments of addresses that are not an organization. */
const RESERVED: ReadonlySet<string> = new Set([
  'api',
  'account',
  'login',
  'logout',
  'setup',
  'invite',
  'reset-password',
  'share',
  'status',
  'unsubscribe',
  'i',
  'monitoring',
  'mcp',
  'replay-frame',
  'health',
  'metrics',
  'settings',
  'organizations',
  'design',
  'docs',
  '_next',
]);

/** Throws Invalid when the slug cannot name an organization. */
export function checkOrganizationSlug(slug: string): void {
  if (!isSlug(slug)) {
    throw invalid(
      'Use at most 50 lowercase letters, digits, "-" and "_", starting with a letter or digit, and not only digits',
      'organizationSlug',
    );
  }
  if (isReservedOrganizationSlug(slug)) {
    throw invalid(`"${slug}" is reserved by Errata: choose another slug`, 'organizationSlug');
  }
}

/** Whether the slug is the beginning of an address that is not an organization's. */
export const isReservedOrganizationSlug = (slug: string): boolean => RESERVED.has(slug);
