import { KeyRound } from 'lucide-react';
import type { Metadata } from 'next';
import { getRequestContext } from '#app/request-context.ts';
import { hasRight } from '#product/permissions.ts';
import { listOrganizationTokens } from '#product/tokens/organization-tokens.ts';
import { Card } from '#ui/card.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { PageBody, PageHeader } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { NewTokenForm } from './new-token-form.tsx';
import { RevokeToken } from './revoke-token.tsx';

export const metadata: Metadata = { title: 'Auth tokens' };

/** Tokens that belong to the organization, for builds. */
export default async function OrganizationTokensPage({ params }: { params: Promise<{ org: string }> }) {
  const { org } = await params;
  const ctx = await getRequestContext(org);
  const tokens = await listOrganizationTokens(ctx);
  const canChange = hasRight(ctx.actor, 'org:write');
  const now = ctx.now();
  return (
    <PageBody width="narrow">
      <PageHeader
        title="Auth tokens"
        description={
          <>
            For builds: a token uploads source maps and tells releases, and tells sentry-cli the address and
            the organization. Tokens belong to the organization and outlive whoever made them. A token that
            acts as yourself is made in{' '}
            <Link href="/account/tokens" className="text-accent underline underline-offset-2">
              your account
            </Link>
            .
          </>
        }
      />
      <div className="flex flex-col gap-5">
        {canChange ? (
          <Card id="new-token" title="New token">
            <NewTokenForm orgSlug={org} />
          </Card>
        ) : null}
        <Card flush id="tokens" title="Tokens">
          {tokens.length === 0 ? (
            <EmptyState icon={<KeyRound aria-hidden />} title="No token yet">
              {canChange
                ? 'Create one above, and give it to the build as SENTRY_AUTH_TOKEN.'
                : 'Ask a manager of the organization to create one.'}
            </EmptyState>
          ) : (
            <ul className="divide-y">
              {tokens.map(({ id, name, lastCharacters, createdBy, createdAt, lastUsedAt, scopes }) => (
                <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
                  <div className="min-w-0 flex-1 basis-60">
                    <p className="flex items-baseline gap-2">
                      <bdi className="truncate font-medium text-sm">{name}</bdi>
                      <span className="mono shrink-0 text-text-muted text-xs">…{lastCharacters}</span>
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
                    </p>
                  </div>
                  {canChange ? <RevokeToken orgSlug={org} token={{ id, name }} /> : null}
                </li>
              ))}
            </ul>
          )}
        </Card>
      </div>
    </PageBody>
  );
}
