import type { Metadata } from 'next';
import { ssoMessage } from '#app/(account)/sso-labels.ts';
import { getSelf } from '#app/account/own-account.ts';
import { firstValue, type SearchParams } from '#app/url-state.ts';
import { PASSWORD_CHARS_MIN } from '#product/accounts/check-password.ts';
import { countDelegated } from '#product/accounts/own-account/sessions.ts';
import { listUserOrganizations } from '#product/accounts/resolve-user-context.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Card } from '#ui/card.tsx';
import { Notice } from '#ui/notice.tsx';
import { SettingsPage } from '#ui/page-header.tsx';
import { ConnectForm } from './connect-form.tsx';
import { PasswordForm } from './password-form.tsx';
import { TwoFactor } from './two-factor.tsx';

export const metadata: Metadata = { title: 'Security' };

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
    <SettingsPage title="Security" description="How you sign in to your account.">
      {required ? <Required organization={required} isOn={status !== null} /> : null}
      <Card id="two-factor" title="Two-factor authentication">
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
    </SettingsPage>
  );
}

/** An organization whose policy led here. */
function Required({ organization, isOn }: { organization: { slug: string; name: string }; isOn: boolean }) {
  if (isOn) {
    return (
      <Notice
        tone="success"
        title={`You now have access to ${organization.name}`}
        actions={
          <ButtonLink href={`/${organization.slug}/issues`} size="sm">
            Continue
          </ButtonLink>
        }
      >
        Save the recovery codes before you leave this page.
      </Notice>
    );
  }
  return (
    <Notice tone="warning" title={`${organization.name} requires two-factor authentication`}>
      Set it up below to get access. Your tokens keep working in the meantime.
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
  const problem = ssoMessage(outcome);
  return (
    <Card id="single-sign-on" title={`Single sign-on: ${name}`}>
      <div className="flex flex-col gap-4">
        {problem ? <Notice tone="danger">{problem}</Notice> : null}
        {outcome === 'connected' && isConnected ? (
          <Notice tone="success">Connected. You can now sign in with {name}.</Notice>
        ) : null}
        <p className="text-sm text-text-muted">
          {isConnected
            ? `You can sign in to this account with ${name}.`
            : `Not connected. It is connected automatically when you sign in with ${name} and the same email address. You can also connect it here, with any address.`}
        </p>
        <ConnectForm name={name} isConnected={isConnected} hasPassword={hasPassword} />
      </div>
    </Card>
  );
}
