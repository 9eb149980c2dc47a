import type { Metadata } from 'next';
import { AccountFrame } from '#app/(account)/account-frame.tsx';
import { getSelf } from '#app/account/own-account.ts';
import type { PageRequest } from '#app/url-state.ts';
import { checkEmailChange } from '#product/accounts/own-account/email-change.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { ConfirmEmailForm } from './confirm-email-form.tsx';

export const metadata: Metadata = { title: 'Confirm your address' };

/**
 * Opened from a mail, by whoever asked for it: signed out, the sign-in page comes first and leads back. Programs that
 * look into mails open links as well, so a person has to press the button.
 */
export default async function ConfirmEmailPage({ params }: PageRequest<'token'>) {
  const { token } = await params;
  const email = await checkEmailChange(await getSelf(), token);
  if (email === null) {
    return (
      <AccountFrame
        title="This link no longer works"
        description="It was already used, is older than a day, was replaced by a newer one, your password has changed since, or it belongs to another account. Request a new one in your profile."
      >
        <ButtonLink href="/account">Go to your profile</ButtonLink>
      </AccountFrame>
    );
  }
  return (
    <AccountFrame
      title="Confirm your address"
      description={
        <>
          From now on, you sign in with <bdi className="break-anything font-medium text-text">{email}</bdi>.
        </>
      }
    >
      <ConfirmEmailForm token={token} />
    </AccountFrame>
  );
}
