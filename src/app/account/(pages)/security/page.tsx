import type { Metadata } from 'next';
import { getSelf } from '#app/account/own-account.ts';
import { firstValue, type SearchParams } from '#app/url-state.ts';
import { PASSWORD_CHARS_MIN } from '#product/accounts/check-password.ts';
import { countDelegated } from '#product/accounts/own-account/sessions.ts';
import { listUserOrganizations } from '#product/accounts/resolve-user-context.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Card } from '#ui/card.tsx';
import { Notice } from '#ui/notice.tsx';
import { PageBody, PageHeader } from '#ui/page-header.tsx';
import { PasswordForm } from './password-form.tsx';
import { SingleSignOnCard } from './single-sign-on-card.tsx';
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
    <PageBody width="narrow">
      <PageHeader title="Security" description="What opens your account." />
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
    </PageBody>
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
