import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import type { Services } from '#product/services.ts';
import type { Session } from '#storage/ports/accounts.ts';

/** Throws NotFound when there is no such organization, and just so when the user is no member of it. */
export async function resolveUserContext(
  services: Pick<Services, 'stores' | 'now' | 'publicUrl'>,
  organizationSlug: string,
  session: Session,
): Promise<Context> {
  const organization = await services.stores.projects.findOrganization(organizationSlug);
  const role = organization && (await services.stores.accounts.findRole(organization.id, session.userId));
  if (!organization || !role) {
    throw notFound(
      `Organization "${organizationSlug}" not found: check the address, or ask its owner to invite you`,
    );
  }
  return {
    stores: services.stores,
    organization,
    actor: {
      kind: 'user',
      userId: session.userId,
      name: session.name,
      role,
      isInstanceOwner: session.isInstanceOwner,
    },
    now: services.now,
    publicUrl: services.publicUrl,
  };
}
