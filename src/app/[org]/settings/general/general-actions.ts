'use server';

import { revalidatePath } from 'next/cache';
import { redirect } from 'next/navigation';
import { type Refusal, refusalOf } from '#app/[org]/settings/refusal.ts';
import type { SettingsState } from '#app/[org]/settings/use-settings-form.ts';
import { getRequestContext } from '#app/request-context.ts';
import { deleteOrganization } from '#product/organizations/delete-organization.ts';
import { updateOrganization } from '#product/organizations/update-organization.ts';
import type { Organization } from '#storage/ports/projects.ts';

export type GeneralState = SettingsState & {
  name: string;
  slug: string;
  isOpen: boolean;
  refusal: Refusal | null;
};

/** Answers what went wrong; goes to the start otherwise. */
export async function deleteOrganizationAction(orgSlug: string, confirmation: string): Promise<string> {
  const ctx = await getRequestContext(orgSlug);
  const refusal = await refusalOf(() => deleteOrganization(ctx, { confirmation }));
  if (refusal) return refusal.message;
  revalidatePath(`/${orgSlug}`, 'layout');
  redirect('/');
}

export async function saveGeneralAction(
  orgSlug: string,
  previous: GeneralState,
  form: FormData,
): Promise<GeneralState> {
  const ctx = await getRequestContext(orgSlug);
  const change = {
    name: String(form.get('name') ?? ''),
    slug: String(form.get('slug') ?? '').trim(),
    isOpen: form.get('isOpen') === 'on',
  };
  let after: Organization | null = null;
  const refusal = await refusalOf(async () => {
    after = await updateOrganization(ctx, change);
  });
  if (refusal || !after) {
    const isOfField = refusal?.field === 'name' || refusal?.field === 'slug';
    return { ...previous, ...change, refusal, error: isOfField ? null : (refusal?.message ?? null) };
  }
  const { slug } = after as Organization;
  revalidatePath(`/${orgSlug}`, 'layout');
  if (slug !== ctx.organization.slug) redirect(`/${slug}/settings`);
  return { ...change, refusal: null, error: null, savedAt: ctx.now() };
}
