import type { Metadata } from 'next';
import { getRequestContext } from '#app/request-context.ts';
import { visibleText } from '#lib/visible-text.ts';
import { hasRight } from '#product/permissions.ts';
import { getOrganizationSharing } from '#product/sharing/organization-sharing.ts';
import { Card } from '#ui/card.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { PageBody, PageHeader } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { SharingSwitch, StopSharingButton } from './sharing-controls.tsx';

export const metadata: Metadata = { title: 'Sharing' };

/** Which issues have a public page, and whether any may. */
export default async function SharingPage({ params }: { params: Promise<{ org: string }> }) {
  const { org } = await params;
  const ctx = await getRequestContext(org);
  const { isAllowed, shares } = await getOrganizationSharing(ctx);
  const now = ctx.now();
  return (
    <PageBody width="narrow">
      <PageHeader
        title="Sharing"
        description="A shared issue has a public page, open to everybody with its address, until it expires: its title, the stack without variables, counts and dates."
        actions={
          hasRight(ctx.actor, 'org:write') ? <SharingSwitch orgSlug={org} isAllowed={isAllowed} /> : null
        }
      />
      <Card flush id="shared-issues" title={isAllowed ? 'Shared issues' : 'Sharing is switched off'}>
        {shares.length === 0 ? (
          <p className="px-4 py-3 text-sm text-text-muted">
            {isAllowed
              ? 'No issue is shared. “Share publicly” is in the menu of every issue.'
              : 'No issue has a public page, and none can get one.'}
          </p>
        ) : (
          <ul className="divide-y">
            {shares.map((share) => (
              <li key={share.issueId} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
                <div className="min-w-0 flex-1 basis-64">
                  <Link
                    href={`/${org}/issues/${share.shortId}`}
                    className="block truncate font-medium text-sm hover:underline"
                  >
                    <bdi>{visibleText(share.title)}</bdi>
                  </Link>
                  <p className="text-text-muted text-xs">
                    <span className="mono">{share.shortId}</span>, shared{' '}
                    <RelativeTime at={share.createdAt} now={now} />
                    {share.createdBy ? (
                      <>
                        {' by '}
                        <bdi>{share.createdBy.name}</bdi>
                      </>
                    ) : null}
                    , until {new Date(share.expiresAt).toISOString().slice(0, 10)}
                    {isAllowed ? '' : ' (closed while sharing is switched off)'}
                  </p>
                </div>
                {hasRight(ctx.actor, 'event:write') ? (
                  <StopSharingButton orgSlug={org} shortId={share.shortId} />
                ) : null}
              </li>
            ))}
          </ul>
        )}
      </Card>
    </PageBody>
  );
}
