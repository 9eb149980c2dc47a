import type { Metadata } from 'next';
import { ssoWords } from '#app/(account)/sso-labels.ts';
import { getSelf } from '#app/account/own-account.ts';
import { firstValue, type SearchParams } from '#app/url-state.ts';
import { PASSWORD_CHARS_MIN } from '#product/accounts/check-password.ts';
import { countDelegated } from '#product/accounts/own-account/sessions.ts';
import { listUserOrganizations } from '#product/accounts/resolve-user-context.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Card } from '#ui/card.tsx';
import { Notice } from '#ui/notice.tsx';
import { Page } from '#ui/page-header.tsx';
import { ConnectForm } from './connect-form.tsx';
import { PasswordForm } from './password-form.tsx';
import { TwoFactor } from './two-factor.tsx';

export const metadata: Metadata = { title: 'Security' };

/** What opens the account: the password, the second factor, single sign-on. */
export default async function SecurityPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const self = await getSelf();
  const { stores, session } = self;
  const { accounts, authenticator } = stores;
  const query = await searchParams;
  const [profile, status, isConnected, organizations, requiring, delegated] = await Promise.all([
    accounts.findProfile(session.userId),
    authenticator.secondFactor.findStatus(session.userId),
    authenticator.singleSignOn ? accounts.hasIdentity(session.userId) : false,
    listUserOrganizations(self, session.userId),
    accounts.listTwoFactorOrganizations(session.userId),
    countDelegated(self, session.userId),
  ]);
  const hasPassword = profile?.hasPassword ?? true;
  const slugAsked = firstValue(query, 'required');
  const required = organizations.find(({ slug }) => slug === slugAsked && requiring.includes(slug));
  return (
    <Page width="narrow" title="Security" description="What opens your account.">
      <div className="flex flex-col gap-5">
        {required ? <Required organization={required} isOn={status !== null} /> : null}
        <Card id="two-factor" title="Two-factor sign-in">
          <TwoFactor recoveryCodesLeft={status?.recoveryCodesLeft ?? null} asksPassword={hasPassword} />
        </Card>
        <Card id="password" title="Password">
          <PasswordForm
            hasPassword={hasPassword}
            email={session.email}
            charsMin={PASSWORD_CHARS_MIN}
            delegated={delegated}
          />
        </Card>
        {authenticator.singleSignOn ? (
          <SingleSignOnCard
            name={authenticator.singleSignOn.name}
            isConnected={isConnected}
            hasPassword={hasPassword}
            outcome={firstValue(query, 'sso')}
          />
        ) : null}
      </div>
    </Page>
  );
}

/** An organization whose policy led here. */
function Required({ organization, isOn }: { organization: { slug: string; name: string }; isOn: boolean }) {
  if (isOn) {
    return (
      <Notice
        tone="success"
        title={`${organization.name} is open to you now`}
        actions={
          <ButtonLink href={`/${organization.slug}/issues`} size="sm">
            Go on
          </ButtonLink>
        }
      >
        Keep the recovery codes before you leave this page.
      </Notice>
    );
  }
  return (
    <Notice tone="warning" title={`${organization.name} requires two-factor sign-in`}>
      Set it up below; its pages open right after. Tokens go on working meanwhile.
    </Notice>
  );
}

/** Whether the identity provider opens this account. */
function SingleSignOnCard({
  name,
  isConnected,
  hasPassword,
  outcome,
}: {
  name: string;
  isConnected: boolean;
  hasPassword: boolean;
  /** From the address: how the last try to connect ended. */
  outcome: string | null;
}) {
  const problem = ssoWords(outcome);
  return (
    <Card id="single-sign-on" title={`Single sign-on: ${name}`}>
      <div className="flex flex-col gap-4">
        {problem ? <Notice tone="danger">{problem}</Notice> : null}
        {outcome === 'connected' && isConnected ? (
          <Notice tone="success">Connected: {name} opens your account from now on.</Notice>
        ) : null}
        <p className="text-sm text-text-muted">
          {isConnected
            ? `Your identity at ${name} opens this account.`
            : `Not connected. It connects by itself when you sign in with ${name} and the same e-mail address; or do it here, with any address.`}
        </p>
        <ConnectForm name={name} isConnected={isConnected} hasPassword={hasPassword} />
      </div>
    </Card>
  );
}
