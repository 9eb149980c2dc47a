'use server';

import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { getServices } from '#product/services.ts';
import { applySetCookies } from './apply-set-cookies.ts';

/** Ends the session, here and in the store, and shows the sign-in page. */
export async function signOutAction(): Promise<void> {
  await applySetCookies(await getServices().stores.authenticator.signOut(await headers()));
  redirect('/login');
}
