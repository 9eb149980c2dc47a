import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { AccountFrame } from '#app/(account)/account-frame.tsx';
import { safeNext } from '#app/(account)/safe-next.ts';
import { firstValue, type SearchParams } from '#app/url-state.ts';
import { needsSetup } from '#product/accounts/needs-setup.ts';
import { getServices } from '#product/services.ts';
import { Notice } from '#ui/notice.tsx';
import { FinishSetup } from './finish-setup.tsx';
import { SignInForm } from './sign-in-form.tsx';

export const metadata: Metadata = { title: 'Sign in' };

export default async function LoginPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { stores } = getServices();
  const query = await searchParams;
  const target = safeNext(firstValue(query, 'next'));
  if (await needsSetup(stores)) return <FinishSetup />;
  if (await stores.authenticator.findSession(await headers())) redirect(target);
  return (
    <AccountFrame title="Sign in">
      {firstValue(query, 'reset') === 'done' ? (
        <div className="mb-4">
          <Notice tone="success">Your password is changed. Sign in with the new one.</Notice>
        </div>
      ) : null}
      <SignInForm next={target} />
      <details className="mt-5 text-sm text-text-muted">
        <summary className="w-fit text-accent underline decoration-from-font underline-offset-2">
          Forgot your password?
        </summary>
        <p className="mt-2">
          Ask whoever runs this server for a new one-time address. On the server it is made with{' '}
          <code className="mono break-anything rounded-sm bg-surface-pressed px-1 text-xs">
            npx errata user reset-password you@example.com
          </code>
          .
        </p>
      </details>
    </AccountFrame>
  );
}
