'use server';

import { revalidatePath } from 'next/cache';
import { refusalOf } from '#app/[org]/settings/refusal.ts';
import { getRequestContext } from '#app/request-context.ts';
import { createOrganizationToken, revokeOrganizationToken } from '#product/tokens/organization-tokens.ts';

export type NewTokenState = {
  name: string;
  error: string | null;
  /** Shown this once; null before. */
  token: { name: string; text: string } | null;
};

export async function createTokenAction(
  orgSlug: string,
  _previous: NewTokenState,
  form: FormData,
): Promise<NewTokenState> {
  const ctx = await getRequestContext(orgSlug);
  const name = String(form.get('name') ?? '');
  let token: NewTokenState['token'] = null;
  const refusal = await refusalOf(async () => {
    const created = await createOrganizationToken(ctx, { name });
    token = { name: created.record.name, text: created.token };
  });
  if (refusal) return { name, error: refusal.message, token: null };
  revalidatePath(`/${orgSlug}/settings/tokens`);
  return { name: '', error: null, token };
}

/** Answers what went wrong, or null. */
export async function revokeTokenAction(orgSlug: string, tokenId: number): Promise<string | null> {
  const ctx = await getRequestContext(orgSlug);
  const refusal = await refusalOf(() => revokeOrganizationToken(ctx, { tokenId }));
  revalidatePath(`/${orgSlug}/settings/tokens`);
  return refusal?.message ?? null;
}
