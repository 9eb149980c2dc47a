'use server';

import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { applySetCookies } from '#app/(account)/apply-set-cookies.ts';
import { answerOf } from '#app/forms/submit-form.ts';
import { findSession } from '#app/request-context.ts';
import { clientAddress } from '#lib/client-address.ts';
import { acceptInvitation, joinWithNewAccount } from '#product/invitations/accept-invitation.ts';
import { getServices } from '#product/services.ts';

export type JoinState = {
  name: string;
  /** What is wrong, and with which field; null for the whole. */
  error: { message: string; field: string | null } | null;
};

/** Whoever is signed in joins. Answers what went wrong; goes to the organization otherwise. */
export async function acceptAction(token: string, _previous: string | null): Promise<string | null> {
  const session = await findSession();
  if (!session) redirect(`/login?next=${encodeURIComponent(`/invite/${token}`)}`);
  const ipAddress = clientAddress(await headers());
  const answer = await answerOf(() => acceptInvitation(getServices(), { token, session, ipAddress }));
  return answer.ok ? redirect(`/${answer.value.slug}/issues`) : `${answer.message}.`;
}

/** Makes the account, joins and signs in. */
export async function joinAction(token: string, _previous: JoinState, form: FormData): Promise<JoinState> {
  const name = String(form.get('name') ?? '');
  const password = String(form.get('password') ?? '');
  const services = getServices();
  const requestHeaders = await headers();
  const answer = await answerOf(async () => {
    const ipAddress = clientAddress(requestHeaders);
    const joined = await joinWithNewAccount(services, { token, name, password, ipAddress });
    const { authenticator } = services.stores;
    const { cookies } = await authenticator.openSession({ userId: joined.user.id, headers: requestHeaders });
    await applySetCookies(cookies);
    return joined.organization.slug;
  });
  if (answer.ok) redirect(`/${answer.value}/issues`);
  return { name, error: { message: `${answer.message}.`, field: answer.field } };
}
