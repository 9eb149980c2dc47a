'use server';

import { revalidatePath } from 'next/cache';
import type { FormState } from '#app/account/form-state.tsx';
import { answeringForm, changeAccount, getSelf } from '#app/account/own-account.ts';
import { readFields } from '#app/forms/fields.ts';
import { getRequestContext } from '#app/request-context.ts';
import { TOKEN_EXPIRY_FIELDS, tokenDays } from '#app/token-days.ts';
import {
  createOwnToken,
  revokeAllOwnTokens,
  revokeOwnToken,
} from '#product/accounts/own-account/own-tokens.ts';
import { endOwnGrant } from '#product/oauth/grants.ts';
import { tokenExpiry } from '#product/tokens/organization-tokens.ts';
import { tokenCommand } from './offered-scopes.ts';

export type NewTokenState = FormState & {
  name: string;
  scopes: readonly string[];
  /** Shown once; null before. */
  token: { name: string; text: string; command: string } | null;
};

export async function createTokenAction(_previous: NewTokenState, form: FormData): Promise<NewTokenState> {
  const name = String(form.get('name') ?? '');
  const scopes = form.getAll('scopes').map(String);
  let token: NewTokenState['token'] = null;
  const state = await answeringForm(async () => {
    const ctx = await getRequestContext(String(form.get('organization') ?? ''));
    const expiresAt = tokenExpiry(daysOf(form), ctx.now());
    const currentPassword = String(form.get('currentPassword') ?? '');
    const made = await createOwnToken(await getSelf(), ctx, { currentPassword, name, scopes, expiresAt });
    const command = tokenCommand({
      publicUrl: ctx.publicUrl,
      organizationSlug: ctx.organization.slug,
      scopes,
      token: made.token,
    });
    token = { name: made.record.name, text: made.token, command };
    return '';
  });
  if (state.error === null) revalidatePath('/account/tokens');
  return { ...state, name: token ? '' : name, scopes, token };
}

/** Answers what went wrong, or null. */
export async function disconnectProgramAction(grantId: number): Promise<string | null> {
  return changeAccount('/account/tokens', (self) => endOwnGrant(self, grantId));
}

/** Answers what went wrong, or null. */
export async function revokeTokenAction(tokenId: number): Promise<string | null> {
  return changeAccount('/account/tokens', (self) => revokeOwnToken(self, tokenId));
}

/** Answers what went wrong, or null. */
export async function revokeAllTokensAction(): Promise<string | null> {
  return changeAccount('/account/tokens', revokeAllOwnTokens);
}

function daysOf(form: FormData) {
  const read = readFields(TOKEN_EXPIRY_FIELDS, form);
  return read.errors === null ? tokenDays(read.input) : Number.NaN;
}
