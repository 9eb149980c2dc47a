import { KeyRound } from 'lucide-react';
import type { Metadata } from 'next';
import { revokeAllTokensAction, revokeTokenAction } from '#app/[org]/settings/organization-actions.ts';
import { ConfirmAction } from '#app/forms/confirm-action.tsx';
import { getRequestContext } from '#app/request-context.ts';
import type { PageRequest } from '#app/url-state.ts';
import { hasRight } from '#product/permissions.ts';
import {
  listOrganizationTokens,
  TOKEN_DAYS_DEFAULT,
  TOKEN_DAYS_MAX,
} from '#product/tokens/organization-tokens.ts';
import { Badge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { SettingsPage } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { NewTokenForm } from './new-token-form.tsx';

export const metadata: Metadata = { title: 'Auth tokens' };

/** Tokens that belong to the organization, for builds. */
export default async function OrganizationTokensPage({ params }: PageRequest<'org'>) {
  const { org } = await params;
  const ctx = await getRequestContext(org);
  const tokens = await listOrganizationTokens(ctx);
  const canChange = hasRight(ctx.actor, 'org:write');
  const now = ctx.now();
  return (
    <SettingsPage
      title="Auth tokens"
      description={
        <>
          For builds: a token can upload source maps and create releases, and it contains the URL and the
          organization for sentry-cli. Tokens belong to the organization and keep working when their creator
          leaves. To create a token that acts as you, go to{' '}
          <TextLink href="/account/tokens">your account</TextLink>.
        </>
      }
    >
      {canChange ? (
        <Card id="new-token" title="New token">
          <NewTokenForm orgSlug={org} expiry={{ daysDefault: TOKEN_DAYS_DEFAULT, daysMax: TOKEN_DAYS_MAX }} />
        </Card>
      ) : null}
      <Card
        flush
        id="tokens"
        title="Tokens"
        actions={
          canChange && tokens.length > 1 ? (
            <ConfirmAction
              action={revokeAllTokensAction.bind(null, org, null)}
              label="Revoke all"
              title={`Revoke all ${tokens.length} tokens?`}
              description="Builds that use any of them are rejected from now on. Members' personal tokens are not affected. This cannot be undone."
              confirmLabel={`Revoke ${tokens.length} tokens`}
              doneTitle={`${tokens.length} tokens revoked`}
              size="sm"
              variant="ghost"
            />
          ) : null
        }
      >
        {tokens.length === 0 ? (
          <EmptyState icon={<KeyRound aria-hidden />} title="No tokens yet">
            {canChange
              ? 'Create one above and set it as SENTRY_AUTH_TOKEN in your build.'
              : 'Ask a manager to create one.'}
          </EmptyState>
        ) : (
          <ul className="divide-y">
            {tokens.map(
              ({ id, name, lastCharacters, createdBy, createdAt, lastUsedAt, expiresAt, scopes }) => (
                <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
                  <div className="min-w-0 flex-1 basis-60">
                    <p className="flex items-baseline gap-2">
                      <bdi className="truncate font-medium text-sm">{name}</bdi>
                      <span className="mono shrink-0 text-text-muted text-xs">…{lastCharacters}</span>
                      {expiresAt !== null && expiresAt <= now ? <Badge tone="warning">Expired</Badge> : null}
                    </p>
                    <p className="text-text-muted text-xs">
                      {scopes.join(', ')}; created <RelativeTime at={createdAt} now={now} />
                      {createdBy ? (
                        <>
                          {' by '}
                          <bdi>{createdBy.name}</bdi>
                        </>
                      ) : null}
                      ;{' '}
                      {lastUsedAt === null ? (
                        'never used'
                      ) : (
                        <>
                          last used <RelativeTime at={lastUsedAt} now={now} />
                        </>
                      )}
                      {expiresAt === null
                        ? '; does not expire'
                        : `; ${expiresAt <= now ? 'expired' : 'expires'} ${new Date(expiresAt).toISOString().slice(0, 10)}`}
                    </p>
                  </div>
                  {canChange ? (
                    <ConfirmAction
                      action={revokeTokenAction.bind(null, org, id)}
                      label="Revoke"
                      accessibleName={`Revoke ${name}`}
                      title={`Revoke ${name}?`}
                      description="Builds that use it are rejected from now on. This cannot be undone."
                      confirmLabel="Revoke"
                      doneTitle={`${name} was revoked`}
                      size="sm"
                    />
                  ) : null}
                </li>
              ),
            )}
          </ul>
        )}
      </Card>
    </SettingsPage>
  );
}
