import type { Metadata } from 'next';
import { AccountFrame } from '#app/(account)/account-frame.tsx';
import { firstValue, type SearchParams } from '#app/url-state.ts';
import { PASSWORD_CHARS_MIN } from '#product/accounts/check-password.ts';
import { checkSetupToken } from '#product/accounts/set-up-instance.ts';
import { getServices } from '#product/services.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { SetUpForm } from './set-up-form.tsx';

export const metadata: Metadata = { title: 'Set-up' };

export default async function SetupPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const token = firstValue(await searchParams, 'token');
  const { stores, now } = getServices();
  const state = await checkSetupToken(stores, token, now());
  if (state === 'set_up') {
    return (
      <AccountFrame
        title="This instance is set up already"
        description="It has an owner, so this address does not open any more. Sign in, or ask the owner to add you."
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
        title="This set-up address is not valid"
        description={
          <>
            <p>
              Use the whole address that the server printed at its last start. Each start prints a new one,
              and the ones before stop working.
            </p>
            <p className="mt-3">Is the output gone? Start the server again.</p>
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
      description="A few things once, then your errors have a place on your own machine."
      width="wide"
    >
      <SetUpForm token={token} passwordCharsMin={PASSWORD_CHARS_MIN} />
    </AccountFrame>
  );
}
