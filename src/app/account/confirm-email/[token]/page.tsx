import type { Metadata } from 'next';
import { AccountFrame } from '#app/(account)/account-frame.tsx';
import { checkEmailChange } from '#product/accounts/own-account/confirm-email-change.ts';
import { getServices } from '#product/services.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { ConfirmEmailForm } from './confirm-email-form.tsx';

export const metadata: Metadata = { title: 'Confirm your address', referrer: 'no-referrer' };

/** Opened from a mail. Programs that look into mails open links as well, so a person has to press the button. */
export default async function ConfirmEmailPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const email = await checkEmailChange(getServices(), token);
  if (email === null) {
    return (
      <AccountFrame
        title="This link does not open any more"
        description="It was used already, is older than a day, or a newer one was made. Ask for a new one on your profile."
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
          From now on you sign in with <bdi className="break-anything font-medium text-text">{email}</bdi>.
        </>
      }
    >
      <ConfirmEmailForm token={token} />
    </AccountFrame>
  );
}
