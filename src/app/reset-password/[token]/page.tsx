import type { Metadata } from 'next';
import { AccountFrame } from '#app/(account)/account-frame.tsx';
import { ResetPasswordForm } from '#app/reset-password/reset-forms.tsx';
import type { PageRequest } from '#app/url-state.ts';
import { PASSWORD_CHARS_MIN } from '#product/accounts/check-password.ts';
import { checkPasswordReset } from '#product/accounts/password-reset.ts';
import { getServices } from '#product/services.ts';
import { ButtonLink } from '#ui/button-link.tsx';

export const metadata: Metadata = { title: 'New password' };

export default async function ResetPasswordPage({ params }: PageRequest<'token'>) {
  const { token } = await params;
  const { stores, now } = getServices();
  if (!(await checkPasswordReset(stores, token, now()))) {
    return (
      <AccountFrame
        title="This address does not open any more"
        description="It was used already, is older than an hour, or a newer one was made. Ask for a new one."
      >
        <ButtonLink href="/login">Go to the sign-in page</ButtonLink>
      </AccountFrame>
    );
  }
  return (
    <AccountFrame title="Choose a new password" description="You will be signed out everywhere.">
      <ResetPasswordForm token={token} charsMin={PASSWORD_CHARS_MIN} />
    </AccountFrame>
  );
}
