import type { Metadata } from 'next';
import { AccountFrame } from '#app/(account)/account-frame.tsx';
import { getServices } from '#product/services.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { RequestResetForm } from './reset-forms.tsx';

export const metadata: Metadata = { title: 'Forgot your password?' };

// Whether mail works is known while the server runs, not while it is built.
export const dynamic = 'force-dynamic';

export default function RequestResetPage() {
  if (getServices().mailer.isConfigured) {
    return (
      <AccountFrame
        title="Forgot your password?"
        description="Enter your email address to get a link for choosing a new one."
      >
        <RequestResetForm />
      </AccountFrame>
    );
  }
  return (
    <AccountFrame
      title="Forgot your password?"
      description="Email is not set up on this server. Ask your administrator for a one-time link."
    >
      <p className="text-sm">
        The administrator can create it on the server with{' '}
        <code className="mono break-anything rounded-sm bg-surface-pressed px-1 text-xs">
          npx errata user reset-password you@example.com
        </code>
        .
      </p>
      <ButtonLink href="/login" className="mt-5">
        Back to the sign-in page
      </ButtonLink>
    </AccountFrame>
  );
}
