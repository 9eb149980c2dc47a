import { LogIn } from 'lucide-react';
import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { AccountFrame } from '#app/(account)/account-frame.tsx';
import { ssoMessage } from '#app/(account)/sso-labels.ts';
import { findSession } from '#app/request-context.ts';
import { safeNext } from '#app/return-path.ts';
import { firstValue, type SearchParams } from '#app/url-state.ts';
import { needsSetup } from '#product/accounts/set-up-instance.ts';
import { getServices } from '#product/services.ts';
import { buttonClass } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { PasskeySignIn, SignInForm } from './sign-in-form.tsx';

export const metadata: Metadata = { title: 'Sign in' };

export default async function LoginPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { stores } = getServices();
  const query = await searchParams;
  const target = safeNext(firstValue(query, 'next'));
  if (await needsSetup(stores)) return <FinishSetup />;
  if (await findSession()) redirect(target);
  const { passkeys, singleSignOn } = stores.authenticator;
  const problem = ssoMessage(firstValue(query, 'sso'));
  return (
    <AccountFrame title="Sign in">
      {firstValue(query, 'reset') === 'done' ? (
        <div className="mb-4">
          <Notice tone="success">Your password was changed. Sign in with the new one.</Notice>
        </div>
      ) : null}
      {problem ? (
        <div className="mb-4">
          <Notice tone="danger">{problem}</Notice>
        </div>
      ) : null}
      <SignInForm next={target} />
      {passkeys.areAvailable || singleSignOn ? (
        <div className="mt-5 flex flex-col gap-3 border-t pt-5 empty:hidden">
          {singleSignOn ? (
            // A plain link: the answer leaves this site, and nothing is to be loaded ahead.
            <a href={ssoAddress(target)} className={buttonClass({ size: 'lg' })}>
              <LogIn aria-hidden className="size-4" />
              Continue with {singleSignOn.name}
            </a>
          ) : null}
          {passkeys.areAvailable ? <PasskeySignIn next={target} /> : null}
        </div>
      ) : null}
      <p className="mt-5 text-sm">
        <TextLink href="/reset-password" className="decoration-from-font">
          Forgot your password?
        </TextLink>
      </p>
    </AccountFrame>
  );
}

const ssoAddress = (target: string): string =>
  target === '/' ? '/login/sso' : `/login/sso?next=${encodeURIComponent(target)}`;

/** First run: nobody can sign in yet, and only whoever sees the server's output can change that. */
function FinishSetup() {
  return (
    <AccountFrame
      title="Finish setup"
      description="This instance has no owner yet, so no one can sign in."
      width="wide"
    >
      <ol className="flex list-decimal flex-col gap-4 pl-5 text-sm marker:text-text-muted">
        <li>
          Check the output of the server where you started it. It ends with a one-time link like this:
          <code className="mono mt-2 block rounded-md border bg-surface-sunken px-3 py-2 text-xs">
            Finish setup here (the link works once): http://…/setup?token=…
          </code>
        </li>
        <li>Open that link in this browser and create your account.</li>
      </ol>
      <p className="mt-5 border-t pt-4 text-sm text-text-muted">
        Lost the output? Restart the server: it prints a new link, and the old one stops working. Or set{' '}
        <code className="mono text-xs">ERRATA_ADMIN_EMAIL</code> and{' '}
        <code className="mono text-xs">ERRATA_ADMIN_PASSWORD</code> before you start it, and the account is
        created without this page.
      </p>
    </AccountFrame>
  );
}
