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
        title="This link no longer works"
        description="It was already used, is older than an hour, or was replaced by a newer one. Request a new one."
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
