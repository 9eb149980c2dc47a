import type { Metadata } from 'next';
import { getRequestContext } from '#app/request-context.ts';
import type { PageRequest } from '#app/url-state.ts';
import { getSecondFactorPolicy } from '#product/accounts/second-factor-policy.ts';
import { hasRight } from '#product/permissions.ts';
import { getServices } from '#product/services.ts';
import { Badge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import { SettingsPage } from '#ui/page-header.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { TwoFactorSwitch } from './two-factor-switch.tsx';

export const metadata: Metadata = { title: 'Security & SSO' };

export default async function AuthenticationPage({ params }: PageRequest<'org'>) {
  const { org } = await params;
  const ctx = await getRequestContext(org);
  const { requiresTwoFactor, membersWithout } = await getSecondFactorPolicy(ctx);
  const mayChange = hasRight(ctx.actor, 'org:admin');
  return (
    <SettingsPage title="Security & SSO" description="How members of this organization sign in.">
      <Card
        id="two-factor"
        title="Require two-factor authentication"
        actions={mayChange ? <TwoFactorSwitch orgSlug={org} isRequired={requiresTwoFactor} /> : null}
      >
        <p className="flex flex-wrap items-center gap-2 text-sm">
          <Badge tone={requiresTwoFactor ? 'success' : 'neutral'}>
            {requiresTwoFactor ? 'Required' : 'Not required'}
          </Badge>
          {missingTwoFactorLabel(membersWithout)}
        </p>
        <p className="mt-2 max-w-[65ch] text-sm text-text-muted">
          Members without it must set it up before they can open pages of this organization. Tokens keep
          working. {mayChange ? null : 'Only an owner of the organization can change this.'}
        </p>
      </Card>
      <SingleSignOn />
    </SettingsPage>
  );
}

function missingTwoFactorLabel(count: number): string {
  if (count === 0) return 'All members have set it up.';
  return count === 1 ? '1 member has not set it up.' : `${count} members have not set it up.`;
}

/** Of the whole instance, by its settings. */
function SingleSignOn() {
  const { singleSignOn } = getServices().stores.authenticator;
  if (!singleSignOn) {
    return (
      <Card id="single-sign-on" title="Single sign-on">
        <p className="max-w-[65ch] text-sm text-text-muted">
          Not set up. Your administrator can connect an OpenID Connect provider with the settings{' '}
          <code className="mono text-xs">ERRATA_OIDC_…</code>.
        </p>
      </Card>
    );
  }
  const { name, allowedDomains, autoJoin } = singleSignOn;
  return (
    <Card id="single-sign-on" title={`Single sign-on: ${name}`}>
      <ul className="flex max-w-[65ch] list-disc flex-col gap-1.5 pl-5 text-sm">
        <li>
          {allowedDomains.length === 0
            ? 'Available to every verified email address with an account here.'
            : `For addresses at ${allowedDomains.join(', ')}.`}
        </li>
        <li>
          {autoJoin
            ? `People without an account get one and join “${autoJoin.organizationSlug}” as ${autoJoin.role}.`
            : 'People without an account cannot sign in. Invite them first.'}
        </li>
        <li>
          Members connect their own accounts under <TextLink href="/account/security">Security</TextLink>.
        </li>
      </ul>
    </Card>
  );
}
