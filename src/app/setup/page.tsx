import type { Metadata } from 'next';
import { AccountFrame } from '#app/(account)/account-frame.tsx';
import { firstValue, type SearchParams } from '#app/url-state.ts';
import { PASSWORD_CHARS_MIN } from '#product/accounts/check-password.ts';
import { checkSetupToken } from '#product/accounts/set-up-instance.ts';
import { getServices } from '#product/services.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { SetUpForm } from './set-up-form.tsx';

export const metadata: Metadata = { title: 'Setup' };

export default async function SetupPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const token = firstValue(await searchParams, 'token');
  const { stores, now } = getServices();
  const state = await checkSetupToken(stores, token, now());
  if (state === 'set_up') {
    return (
      <AccountFrame
        title="This instance is already set up"
        description="It has an owner, so this link no longer works. Sign in, or ask the owner to add you."
      >
        <ButtonLink variant="primary" href="/login">
          Go to the sign-in page
        </ButtonLink>
      </AccountFrame>
    );
  }
  if (state === 'wrong_token' || token === null) {
    return (
      <AccountFrame
        title="This setup link is not valid"
        description={
          <>
            <p>
              Use the entire link that the server printed when it last started. Each start prints a new link,
              and the previous ones stop working.
            </p>
            <p className="mt-3">Lost the output? Restart the server.</p>
          </>
        }
      >
        <ButtonLink href="/login">Go to the sign-in page</ButtonLink>
      </AccountFrame>
    );
  }
  return (
    <AccountFrame
      title="Set up Errata"
      description="Create your account, your organization and your first project."
      width="wide"
    >
      <SetUpForm token={token} passwordCharsMin={PASSWORD_CHARS_MIN} />
    </AccountFrame>
  );
}
