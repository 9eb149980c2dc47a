import type { Metadata } from 'next';
import { allowSharingAction, stopSharingIssueAction } from '#app/[org]/settings/organization-actions.ts';
import { ActionButton } from '#app/forms/confirm-action.tsx';
import { getRequestContext } from '#app/request-context.ts';
import type { PageRequest } from '#app/url-state.ts';
import { visibleText } from '#lib/visible-text.ts';
import { hasRight } from '#product/permissions.ts';
import { listSharedDashboards } from '#product/sharing/dashboard-sharing.ts';
import { getOrganizationSharing } from '#product/sharing/sharing.ts';
import { ListCard } from '#ui/card.tsx';
import { formatUtcDay } from '#ui/format-time.ts';
import { ByUser, ListRow } from '#ui/list-row.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { Page } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { stopSharingDashboardAction } from '../../dashboards/dashboard-actions.ts';

export const metadata: Metadata = { title: 'Sharing' };

export default async function SharingPage({ params }: PageRequest<'org'>) {
  const { org } = await params;
  const ctx = await getRequestContext(org);
  const [{ isAllowed, shares }, dashboards] = await Promise.all([
    getOrganizationSharing(ctx),
    listSharedDashboards(ctx),
  ]);
  const now = ctx.now();
  return (
    <Page
      width="narrow"
      title="Sharing"
      description="Anyone with the link can view what is shared until the link expires: of an issue its title, its stack trace without variables, counts and dates; of a dashboard what its widgets show."
      actions={
        hasRight(ctx.actor, 'org:write') ? (
          <ActionButton
            action={allowSharingAction.bind(null, org, !isAllowed)}
            label={isAllowed ? 'Turn off sharing' : 'Allow sharing'}
            doneTitle={isAllowed ? 'Sharing is off' : 'Sharing is allowed'}
          />
        ) : null
      }
    >
      <ListCard
        id="shared-issues"
        title={isAllowed ? 'Shared issues' : 'Sharing is off'}
        empty={
          <p className="px-4 py-3 text-sm text-text-muted">
            {isAllowed
              ? 'No shared issues. To share one, choose “Share publicly” from the menu of an issue.'
              : 'Issues cannot be shared publicly.'}
          </p>
        }
      >
        {shares.map((share) => (
          <ListRow
            key={share.issueId}
            title={
              <Link href={`/${org}/issues/${share.shortId}`} className="block truncate hover:underline">
                <bdi>{visibleText(share.title)}</bdi>
              </Link>
            }
            actions={
              hasRight(ctx.actor, 'event:write') ? (
                <ActionButton
                  action={stopSharingIssueAction.bind(null, org, share.shortId)}
                  label="Stop sharing"
                  accessibleName={`Stop sharing ${share.shortId}`}
                  doneTitle={`No longer shared: ${share.shortId}`}
                  size="sm"
                />
              ) : null
            }
          >
            <span className="mono">{share.shortId}</span>, shared{' '}
            <RelativeTime at={share.createdAt} now={now} />
            <ByUser user={share.createdBy} />, until {formatUtcDay(share.expiresAt)}
            {isAllowed ? '' : ' (not accessible while sharing is off)'}
          </ListRow>
        ))}
      </ListCard>
      {dashboards.length === 0 ? null : (
        <div className="mt-5">
          <ListCard id="shared-dashboards" title="Shared dashboards" empty={null}>
            {dashboards.map((share) => (
              <ListRow
                key={share.dashboardId}
                title={
                  <Link
                    href={`/${org}/dashboards/${share.dashboardId}`}
                    className="block truncate hover:underline"
                  >
                    <bdi>{visibleText(share.title)}</bdi>
                  </Link>
                }
                actions={
                  hasRight(ctx.actor, 'event:write') ? (
                    <ActionButton
                      action={stopSharingDashboardAction.bind(null, org, share.dashboardId)}
                      label="Stop sharing"
                      accessibleName={`Stop sharing ${share.title}`}
                      doneTitle={`No longer shared: ${share.title}`}
                      size="sm"
                    />
                  ) : null
                }
              >
                Shared <RelativeTime at={share.createdAt} now={now} />
                <ByUser user={share.createdBy} />, until {formatUtcDay(share.expiresAt)}
                {isAllowed ? '' : ' (not accessible while sharing is off)'}
              </ListRow>
            ))}
          </ListCard>
        </div>
      )}
    </Page>
  );
}
