'use server';

import { revalidatePath } from 'next/cache';
import { redirect } from 'next/navigation';
import { applySetCookies } from '#app/(account)/apply-set-cookies.ts';
import { delegatedLabel } from '#app/(account)/sso-labels.ts';
import type { FormState } from '#app/account/form-state.tsx';
import { answeringForm, getSelf } from '#app/account/own-account.ts';
import { invalid } from '#lib/errors.ts';
import { changePassword } from '#product/accounts/own-account/change-password.ts';
import type { Self } from '#product/accounts/own-account/self.ts';
import type { Delegated } from '#product/accounts/own-account/sessions.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  disableSecondFactor,
  renewRecoveryCodes,
} from '#product/accounts/own-account/set-up-second-factor.ts';
import { beginConnecting, disconnectIdentity } from '#product/single-sign-on/own-identity.ts';
import { type QrCode, qrCode } from './qr-code.ts';

const textOf = (form: FormData, field: string) => String(form.get(field) ?? '');

/** Changes how the account is signed in to; the sentence about it becomes the state of the form. */
async function changeSignIn(change: (self: Self) => Promise<string>): Promise<FormState> {
  const state = await answeringForm(async () => change(await getSelf()));
  if (state.done) revalidatePath('/account', 'layout');
  return state;
}

export async function changePasswordAction(_previous: FormState, form: FormData): Promise<FormState> {
  return changeSignIn(async (self) => {
    const password = textOf(form, 'password');
    if (password !== textOf(form, 'repeated')) {
      throw invalid('The passwords do not match: enter the same password twice', 'repeated');
    }
    const currentPassword = textOf(form, 'currentPassword');
    const revokesTokens = form.get('revokesTokens') === 'on';
    const revoked = await changePassword(self, { currentPassword, password, revokesTokens });
    // No browser is known by the new password yet; whoever sets it is at this one.
    await applySetCookies(await self.stores.authenticator.knowDevice(self.session.userId));
    return `Password changed. You are signed out everywhere else.${revokedSentence(revoked)}`;
  });
}

function revokedSentence(revoked: Delegated): string {
  const what = delegatedLabel(revoked);
  return what === '' ? '' : ` Revoked: ${what}.`;
}

export type SetUpState = FormState & {
  /** What the app scans, and the same to type; null before. */
  made: { qr: QrCode; secret: string; recoveryCodes: readonly string[] } | null;
};

export async function beginTwoFactorAction(_previous: SetUpState, form: FormData): Promise<SetUpState> {
  let made: SetUpState['made'] = null;
  const state = await answeringForm(async () => {
    const currentPassword = textOf(form, 'currentPassword');
    const { uri, secret, recoveryCodes } = await beginSecondFactor(await getSelf(), { currentPassword });
    made = { qr: qrCode(uri), secret, recoveryCodes };
    return '';
  });
  return { ...state, made };
}

export async function confirmTwoFactorAction(_previous: FormState, form: FormData): Promise<FormState> {
  return changeSignIn(async (self) => {
    await applySetCookies(await confirmSecondFactor(self, textOf(form, 'code')));
    return 'Two-factor authentication is on. You are signed out everywhere else.';
  });
}

type RenewState = FormState & { recoveryCodes: readonly string[] | null };

export async function renewCodesAction(_previous: RenewState, form: FormData): Promise<RenewState> {
  let recoveryCodes: readonly string[] | null = null;
  const state = await changeSignIn(async (self) => {
    recoveryCodes = await renewRecoveryCodes(self, { currentPassword: textOf(form, 'currentPassword') });
    return 'Your previous recovery codes no longer work.';
  });
  return { ...state, recoveryCodes };
}

export async function disableTwoFactorAction(_previous: FormState, form: FormData): Promise<FormState> {
  return changeSignIn(async (self) => {
    const input = { currentPassword: textOf(form, 'currentPassword'), code: textOf(form, 'code') };
    await applySetCookies(await disableSecondFactor(self, input));
    return 'Two-factor authentication is off. You are signed out everywhere else.';
  });
}

export async function connectAction(_previous: FormState, form: FormData): Promise<FormState> {
  let url: string | null = null;
  const state = await answeringForm(async () => {
    const begun = await beginConnecting(await getSelf(), {
      currentPassword: textOf(form, 'currentPassword'),
      next: '/account/security?sso=connected',
    });
    await applySetCookies(begun.cookies);
    url = begun.url;
    return '';
  });
  if (url) redirect(url);
  return state;
}

export async function disconnectAction(_previous: FormState, form: FormData): Promise<FormState> {
  return changeSignIn(async (self) => {
    await disconnectIdentity(self, { currentPassword: textOf(form, 'currentPassword') });
    return 'Single sign-on is disconnected. You are signed out everywhere else.';
  });
}
