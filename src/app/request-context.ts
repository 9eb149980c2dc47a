import { cookies, headers } from 'next/headers';
import { notFound, permanentRedirect, redirect } from 'next/navigation';
import { cache } from 'react';
import type { Organization } from '#domain/projects.ts';
import { clientAddress } from '#lib/client-address.ts';
import { isErrataError } from '#lib/errors.ts';
import { listUserOrganizations, resolveUserContext } from '#product/accounts/resolve-user-context.ts';
import type { Context } from '#product/context.ts';
import { findRenamedOrganization } from '#product/organizations/organizations.ts';
import { getServices } from '#product/services.ts';
import type { Session } from '#storage/ports/authenticator.ts';
import { type Remembered, rememberReads } from './remember-reads.ts';
import { LAST_ORGANIZATION_COOKIE, PATH_HEADER } from './request-names.ts';
import { renamedPath, returnPath } from './return-path.ts';

/**
 * Who asks, within the organization of the address. Signed out: redirects to the sign-in page, which leads back.
 * Not a member, or no such organization: the not-found page. A slug that it had before: redirects to the present one.
 * Without the second factor that the organization requires: the page that sets it up. Once per request.
 */
export const getRequestContext = cache(async (organizationSlug: string): Promise<Context> => {
  const session = await getSession();
  const services = getServices();
  try {
    const ctx = await resolveUserContext(services, organizationSlug, session);
    await ctx.stores.members.noteSeen(ctx.organization.id, session.userId, ctx.now());
    return { ...rememberReads(ctx, remembered), ipAddress: clientAddress(await headers()) };
  } catch (error) {
    if (isErrataError(error) && error.code === 'not_found') {
      const slug = await findRenamedOrganization(services, organizationSlug, session.userId);
      if (!slug) notFound();
      permanentRedirect(renamedPath((await headers()).get(PATH_HEADER), organizationSlug, slug));
    }
    // Only the policy of the organization forbids: its pages open once the second factor is set up.
    if (isErrataError(error) && error.code === 'forbidden') {
      redirect(`/account/security?required=${encodeURIComponent(organizationSlug)}`);
    }
    throw error;
  }
});

/** One for each rendering of a page; while an action runs, a new one each time: it changes what it has read. */
const remembered = cache((): Remembered => new Map());

/** The signed-in user; redirects to the sign-in page when there is none. Once per request. */
export const getSession = cache(async (): Promise<Session> => {
  const session = await findSession();
  if (session) return session;
  const path = returnPath((await headers()).get(PATH_HEADER));
  redirect(path ? `/login?next=${encodeURIComponent(path)}` : '/login');
});

/** null when nobody is signed in. Once per request. */
export const findSession = cache(
  async (): Promise<Session | null> => getServices().stores.authenticator.findSession(await currentHeaders()),
);

/** The headers of the request, with the cookies as an action before this page has changed them. */
export async function currentHeaders(): Promise<Headers> {
  const changed = new Headers(await headers());
  changed.set('cookie', (await cookies()).toString());
  return changed;
}

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
