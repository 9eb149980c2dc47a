'use server';

import { cookies, headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { getSession } from '#app/request-context.ts';
import { LAST_ORGANIZATION_COOKIE, YEAR_SECONDS } from '#app/request-names.ts';
import { clientAddress } from '#lib/client-address.ts';
import { isErrataError } from '#lib/errors.ts';
import { createOrganization } from '#product/organizations/organizations.ts';
import { getServices } from '#product/services.ts';

export type NewOrganizationState = {
  /** A sentence; null when nothing is wrong. */
  error: string | null;
  /** The field that is wrong; null for the whole form. */
  field: 'name' | 'slug' | null;
};

export async function createOrganizationAction(
  _previous: NewOrganizationState,
  form: FormData,
): Promise<NewOrganizationState> {
  const { userId, name, isInstanceOwner } = await getSession();
  const { stores, now, publicUrl } = getServices();
  let slug: string;
  try {
    const { organization } = await createOrganization(
      {
        stores,
        now,
        publicUrl,
        actor: { kind: 'user', userId, name, role: 'owner', isInstanceOwner },
        ipAddress: clientAddress(await headers()),
      },
      { name: String(form.get('name') ?? ''), slug: String(form.get('slug') ?? '') },
    );
    slug = organization.slug;
  } catch (error) {
    if (!isErrataError(error)) throw error;
    const field = error.field === 'name' || error.field === 'slug' ? error.field : null;
    return { error: `${error.message}.`, field };
  }
  const kept = { path: '/', maxAge: YEAR_SECONDS, sameSite: 'lax' } as const;
  (await cookies()).set(LAST_ORGANIZATION_COOKIE, slug, kept);
  redirect(`/${slug}/projects/new`);
}
