import { KeySquare } from 'lucide-react';
import type { Metadata } from 'next';
import { getSelf } from '#app/account/own-account.ts';
import { ConfirmAction } from '#app/forms/confirm-action.tsx';
import { listOwnTokens, type OwnToken } from '#product/accounts/own-account/own-tokens.ts';
import { listUserOrganizations } from '#product/accounts/resolve-user-context.ts';
import { listOwnGrants, type OwnGrant } from '#product/oauth/grants.ts';
import { TOKEN_DAYS_DEFAULT, TOKEN_DAYS_MAX } from '#product/tokens/organization-tokens.ts';
import { Badge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { SettingsPage } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { ConnectAgent } from './connect-agent.tsx';
import { NewTokenForm } from './new-token-form.tsx';
import { OFFERED_SCOPES } from './offered-scopes.ts';
import { RevokeAllTokens } from './revoke-all-tokens.tsx';
import { disconnectProgramAction, revokeTokenAction } from './token-actions.ts';

export const metadata: Metadata = { title: 'Tokens' };

/** Personal tokens: they can do what their owner can, limited to their scopes. */
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
      <Card
        id="tokens"
        title="Your tokens"
        flush
        actions={tokens.length > 1 ? <RevokeAllTokens count={tokens.length} /> : null}
      >
        {tokens.length === 0 ? (
          <EmptyState icon={<KeySquare aria-hidden />} title="No tokens yet">
            {organizations.length > 0
              ? 'Create one above and send it as “Authorization: Bearer …”.'
              : 'Tokens belong to an organization. Ask someone to invite you to theirs.'}
          </EmptyState>
        ) : (
          <ul className="divide-y">
            {tokens.map((token) => (
              <TokenRow key={token.id} token={token} now={now} />
            ))}
          </ul>
        )}
      </Card>
      <ConnectedPrograms grants={grants} now={now} />
      <ConnectAgent publicUrl={self.publicUrl} />
    </SettingsPage>
  );
}

function TokenRow({ token, now }: { token: OwnToken; now: number }) {
  const isExpired = token.expiresAt !== null && token.expiresAt <= now;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-2 font-medium text-sm">
          <bdi className="break-anything">{token.name}</bdi>
          {isExpired ? <Badge tone="warning">Expired</Badge> : null}
          {token.organization ? null : <Badge tone="warning">You left its organization</Badge>}
        </p>
        <p className="mono break-anything mt-0.5 text-text-muted text-xs">{token.scopes.join(' ')}</p>
        <p className="mt-0.5 text-text-muted text-xs">
          {token.organization ? (
            <>
              <bdi>{token.organization.name}</bdi>, created{' '}
            </>
          ) : (
            'Created '
          )}
          <RelativeTime at={token.createdAt} now={now} />,{' '}
          {token.lastUsedAt === null ? (
            'never used'
          ) : (
            <>
              used <RelativeTime at={token.lastUsedAt} now={now} />
            </>
          )}
          {token.expiresAt === null
            ? ', does not expire'
            : `, ${isExpired ? 'expired' : 'expires'} ${new Date(token.expiresAt).toISOString().slice(0, 10)}`}
        </p>
      </div>
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
    </li>
  );
}

/** Programs that the person let in over the browser; nothing while there are none. */
function ConnectedPrograms({ grants, now }: { grants: readonly OwnGrant[]; now: number }) {
  if (grants.length === 0) return null;
  return (
    <Card id="programs" title="Connected apps" flush>
      <ul className="divide-y">
        {grants.map((grant) => (
          <li key={grant.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
            <div className="min-w-0 flex-1 basis-64">
              <p className="flex flex-wrap items-center gap-2 font-medium text-sm">
                <bdi className="break-anything">{grant.clientName}</bdi>
                {grant.organization ? null : <Badge tone="warning">You left its organization</Badge>}
              </p>
              <p className="mono break-anything mt-0.5 text-text-muted text-xs">{grant.scopes.join(' ')}</p>
              <p className="mt-0.5 text-text-muted text-xs">
                {grant.organization ? (
                  <>
                    <bdi>{grant.organization.name}</bdi>, connected{' '}
                  </>
                ) : (
                  'Connected '
                )}
                <RelativeTime at={grant.createdAt} now={now} />,{' '}
                {grant.lastUsedAt === null ? (
                  'never used'
                ) : (
                  <>
                    used <RelativeTime at={grant.lastUsedAt} now={now} />
                  </>
                )}
              </p>
            </div>
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
          </li>
        ))}
      </ul>
    </Card>
  );
}
