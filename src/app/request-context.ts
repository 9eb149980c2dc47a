import { cookies, headers } from 'next/headers';
import { notFound, redirect } from 'next/navigation';
import { cache } from 'react';
import { isErrataError } from '#lib/errors.ts';
import { listUserOrganizations } from '#product/accounts/list-user-organizations.ts';
import { resolveUserContext } from '#product/accounts/resolve-user-context.ts';
import type { Context } from '#product/context.ts';
import { getServices } from '#product/services.ts';
import type { Session } from '#storage/ports/accounts.ts';
import type { Organization } from '#storage/ports/projects.ts';
import { LAST_ORGANIZATION_COOKIE, PATH_HEADER } from './request-names.ts';
import { returnPath } from './return-path.ts';

/**
 * Who asks, within the organization of the address. Signed out: redirects to the sign-in page, which leads back.
 * Not a member, or no such organization: the not-found page. Once per request.
 */
export const getRequestContext = cache(async (organizationSlug: string): Promise<Context> => {
  const session = await getSession();
  try {
    return await resolveUserContext(getServices(), organizationSlug, session);
  } catch (error) {
    if (isErrataError(error) && error.code === 'not_found') notFound();
    throw error;
  }
});

/** The signed-in user; redirects to the sign-in page when there is none. Once per request. */
export const getSession = cache(async (): Promise<Session> => {
  const session = await findSession();
  if (session) return session;
  const path = returnPath((await headers()).get(PATH_HEADER));
  redirect(path ? `/login?next=${encodeURIComponent(path)}` : '/login');
});

/** null when nobody is signed in. Once per request. */
export const findSession = cache(
  async (): Promise<Session | null> => getServices().stores.authenticator.findSession(await headers()),
);

/** Organizations of the signed-in user, oldest first. Once per request. */
export const listOwnOrganizations = cache(
  async (userId: string): Promise<readonly Organization[]> => listUserOrganizations(getServices(), userId),
);

/** The organization that the user looked at last, else the first one; null without a membership. */
export async function findLastOrganization(userId: string): Promise<Organization | null> {
  const organizations = await listOwnOrganizations(userId);
  const last = (await cookies()).get(LAST_ORGANIZATION_COOKIE)?.value;
  return organizations.find((organization) => organization.slug === last) ?? organizations[0] ?? null;
}
