'use server';

import { revalidatePath } from 'next/cache';
import type { FormState } from '#app/account/form-state.ts';
import { answeringForm, getSelf } from '#app/account/own-account.ts';
import { getRequestContext } from '#app/request-context.ts';
import { invalid } from '#lib/errors.ts';
import { createOwnToken, revokeOwnToken } from '#product/accounts/own-account/own-tokens.ts';
import { endOwnGrant } from '#product/oauth/own-grants.ts';
import { tokenCommand } from './token-command.ts';

const DAY_MS = 24 * 3600 * 1000;
const DAYS_MAX = 365;

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
    const expiresAt = readExpiry(String(form.get('days') ?? ''), ctx.now());
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

/** null for a token that does not expire. */
function readExpiry(days: string, nowMs: number): number | null {
  if (days === 'never') return null;
  const count = Number(days);
  if (!Number.isInteger(count) || count < 1 || count > DAYS_MAX) {
    throw invalid(`Choose 1 to ${DAYS_MAX} days, or never`, 'days');
  }
  return nowMs + count * DAY_MS;
}

/** Answers what went wrong, or null. */
export async function disconnectProgramAction(grantId: number): Promise<string | null> {
  const { error } = await answeringForm(async () => {
    await endOwnGrant(await getSelf(), grantId);
    return '';
  });
  revalidatePath('/account/tokens');
  return error;
}

/** Answers what went wrong, or null. */
export async function revokeTokenAction(tokenId: number): Promise<string | null> {
  const { error } = await answeringForm(async () => {
    await revokeOwnToken(await getSelf(), tokenId);
    return '';
  });
  revalidatePath('/account/tokens');
  return error;
}
