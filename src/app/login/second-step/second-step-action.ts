'use server';

import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { applySetCookies } from '#app/(account)/apply-set-cookies.ts';
import { safeNext } from '#app/(account)/safe-next.ts';
import { isErrataError } from '#lib/errors.ts';
import { verifySecondFactor } from '#product/accounts/sign-in.ts';
import { getServices } from '#product/services.ts';

export type SecondStepState = {
  error: string | null;
  /** The first step has to be repeated. */
  isOver: boolean;
};

export async function secondStepAction(_previous: SecondStepState, form: FormData): Promise<SecondStepState> {
  try {
    const cookies = await verifySecondFactor(getServices(), {
      kind: form.get('kind') === 'recovery' ? 'recovery' : 'app',
      code: String(form.get('code') ?? ''),
      trustsBrowser: form.get('trustsBrowser') === 'on',
      headers: await headers(),
    });
    await applySetCookies(cookies);
  } catch (error) {
    if (!isErrataError(error)) throw error;
    return { error: `${error.message}.`, isOver: error.code === 'unauthorized' };
  }
  redirect(safeNext(String(form.get('next') ?? '')));
}
