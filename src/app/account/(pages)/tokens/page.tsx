import { KeySquare } from 'lucide-react';
import type { Metadata } from 'next';
import { getSelf } from '#app/account/own-account.ts';
import { ConfirmAction } from '#app/forms/confirm-action.tsx';
import { expiryLabel, isExpired } from '#app/token-days.ts';
import { listOwnTokens, type OwnToken } from '#product/accounts/own-account/own-tokens.ts';
import { listUserOrganizations } from '#product/accounts/resolve-user-context.ts';
import { listOwnGrants, type OwnGrant } from '#product/oauth/grants.ts';
import { TOKEN_DAYS_DEFAULT, TOKEN_DAYS_MAX } from '#product/tokens/organization-tokens.ts';
import { Badge } from '#ui/badge.tsx';
import { Card, ListCard } from '#ui/card.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { LastUsed, ListRow } from '#ui/list-row.tsx';
import { SettingsPage } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { ConnectAgent } from './connect-agent.tsx';
import { NewTokenForm } from './new-token-form.tsx';
import { OFFERED_SCOPES } from './offered-scopes.ts';
import { disconnectProgramAction, revokeAllTokensAction, revokeTokenAction } from './token-actions.ts';

export const metadata: Metadata = { title: 'Tokens' };

export default async function TokensPage() {
  const self = await getSelf();
  const [tokens, grants, organizations, profile] = await Promise.all([
    listOwnTokens(self),
    listOwnGrants(self),
    listUserOrganizations(self, self.session.userId),
    self.stores.accounts.findProfile(self.session.userId),
  ]);
  const now = self.now();
  return (
    <SettingsPage
      title="Tokens"
      description={
        <>
          For scripts and agents that use{' '}
          <a className="text-accent underline underline-offset-2" href="/api/0/docs">
            the API
          </a>{' '}
          for you. A token can do what you can do in its organization, limited to its scopes.
        </>
      }
    >
      {organizations.length > 0 ? (
        <Card id="new-token" title="New token">
          <NewTokenForm
            organizations={organizations.map(({ slug, name }) => ({ slug, name }))}
            scopes={OFFERED_SCOPES}
            asksPassword={profile?.hasPassword ?? true}
            expiry={{ daysDefault: TOKEN_DAYS_DEFAULT, daysMax: TOKEN_DAYS_MAX }}
          />
        </Card>
      ) : null}
      <ListCard
        id="tokens"
        title="Your tokens"
        actions={
          tokens.length > 1 ? (
            <ConfirmAction
              action={revokeAllTokensAction}
              label="Revoke all"
              title={`Revoke all ${tokens.length} tokens?`}
              description="This revokes your personal tokens in every organization, and anything that uses them stops working. Connected apps are not affected. This cannot be undone."
              confirmLabel={`Revoke ${tokens.length} tokens`}
              doneTitle={`${tokens.length} tokens revoked`}
              size="sm"
              variant="ghost"
            />
          ) : null
        }
        empty={
          <EmptyState icon={<KeySquare aria-hidden />} title="No tokens yet">
            {organizations.length > 0
              ? 'Create one above and send it as “Authorization: Bearer …”.'
              : 'Tokens belong to an organization. Ask someone to invite you to theirs.'}
          </EmptyState>
        }
      >
        {tokens.map((token) => (
          <TokenRow key={token.id} token={token} now={now} />
        ))}
      </ListCard>
      <ConnectedPrograms grants={grants} now={now} />
      <ConnectAgent publicUrl={self.publicUrl} />
    </SettingsPage>
  );
}

function TokenRow({ token, now }: { token: OwnToken; now: number }) {
  return (
    <ListRow
      title={
        <>
          <bdi className="break-anything">{token.name}</bdi>
          {isExpired(token, now) ? <Badge tone="warning">Expired</Badge> : null}
          {token.organization ? null : <Badge tone="warning">You left its organization</Badge>}
        </>
      }
      actions={
        <ConfirmAction
          action={revokeTokenAction.bind(null, token.id)}
          label="Revoke"
          accessibleName={`Revoke ${token.name}`}
          title={`Revoke ${token.name}?`}
          description="Requests that use it are rejected with 401 from now on. This cannot be undone."
          confirmLabel="Revoke token"
          doneTitle={`Revoked: ${token.name}`}
          size="sm"
          variant="ghost"
        />
      }
    >
      <AccessFacts {...token} verb="created" now={now} />, {expiryLabel(token, now)}
    </ListRow>
  );
}

/** What a token or a connected app may do and where, and when it was used. */
function AccessFacts({
  organization,
  scopes,
  createdAt,
  lastUsedAt,
  verb,
  now,
}: Pick<OwnGrant, 'organization' | 'scopes' | 'createdAt' | 'lastUsedAt'> & { verb: string; now: number }) {
  return (
    <>
      <span className="mono break-anything mt-0.5 block">{scopes.join(' ')}</span>
      {organization ? (
        <>
          <bdi>{organization.name}</bdi>, {verb}
        </>
      ) : (
        `${verb.charAt(0).toUpperCase()}${verb.slice(1)}`
      )}{' '}
      <RelativeTime at={createdAt} now={now} />, <LastUsed at={lastUsedAt} now={now} />
    </>
  );
}

/** Programs that the person let in over the browser; nothing while there are none. */
function ConnectedPrograms({ grants, now }: { grants: readonly OwnGrant[]; now: number }) {
  if (grants.length === 0) return null;
  return (
    <Card id="programs" title="Connected apps" flush>
      <ul className="divide-y">
        {grants.map((grant) => (
          <ListRow
            key={grant.id}
            title={
              <>
                <bdi className="break-anything">{grant.clientName}</bdi>
                {grant.organization ? null : <Badge tone="warning">You left its organization</Badge>}
              </>
            }
            actions={
              <ConfirmAction
                action={disconnectProgramAction.bind(null, grant.id)}
                label="Disconnect"
                accessibleName={`Disconnect ${grant.clientName}`}
                title={`Disconnect ${grant.clientName}?`}
                description="It loses access right away. It can ask for access again."
                confirmLabel="Disconnect app"
                doneTitle={`Disconnected: ${grant.clientName}`}
                size="sm"
                variant="ghost"
              />
            }
          >
            <AccessFacts {...grant} verb="connected" now={now} />
          </ListRow>
        ))}
      </ul>
    </Card>
  );
}
