import { KeyRound } from 'lucide-react';
import type { Metadata } from 'next';
import { revokeAllTokensAction, revokeTokenAction } from '#app/[org]/settings/organization-actions.ts';
import { ConfirmAction } from '#app/forms/confirm-action.tsx';
import { getRequestContext } from '#app/request-context.ts';
import { expiryLabel, isExpired } from '#app/token-days.ts';
import type { PageRequest } from '#app/url-state.ts';
import { hasRight } from '#product/permissions.ts';
import {
  listOrganizationTokens,
  TOKEN_DAYS_DEFAULT,
  TOKEN_DAYS_MAX,
} from '#product/tokens/organization-tokens.ts';
import { Badge } from '#ui/badge.tsx';
import { Card, ListCard } from '#ui/card.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { ByUser, LastUsed, ListRow } from '#ui/list-row.tsx';
import { SettingsPage } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { NewTokenForm } from './new-token-form.tsx';

export const metadata: Metadata = { title: 'Auth tokens' };

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
      <ListCard
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
        empty={
          <EmptyState icon={<KeyRound aria-hidden />} title="No tokens yet">
            {canChange
              ? 'Create one above and set it as SENTRY_AUTH_TOKEN in your build.'
              : 'Ask a manager to create one.'}
          </EmptyState>
        }
      >
        {tokens.map((token) => (
          <ListRow
            key={token.id}
            title={
              <>
                <bdi className="truncate">{token.name}</bdi>
                <span className="mono shrink-0 font-normal text-text-muted text-xs">
                  …{token.lastCharacters}
                </span>
                {isExpired(token, now) ? <Badge tone="warning">Expired</Badge> : null}
              </>
            }
            actions={
              canChange ? (
                <ConfirmAction
                  action={revokeTokenAction.bind(null, org, token.id)}
                  label="Revoke"
                  accessibleName={`Revoke ${token.name}`}
                  title={`Revoke ${token.name}?`}
                  description="Builds that use it are rejected from now on. This cannot be undone."
                  confirmLabel="Revoke"
                  doneTitle={`${token.name} was revoked`}
                  size="sm"
                />
              ) : null
            }
          >
            {token.scopes.join(', ')}; created <RelativeTime at={token.createdAt} now={now} />
            <ByUser user={token.createdBy} />; <LastUsed at={token.lastUsedAt} now={now} label="last used" />;{' '}
            {expiryLabel(token, now)}
          </ListRow>
        ))}
      </ListCard>
    </SettingsPage>
  );
}
