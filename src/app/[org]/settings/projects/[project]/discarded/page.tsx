import { Trash2 } from 'lucide-react';
import type { Metadata } from 'next';
import { loadProjectPage } from '#app/[org]/projects/load-project.ts';
import { restoreAction } from '#app/[org]/settings/projects/[project]/project-actions.ts';
import { ActionButton } from '#app/forms/confirm-action.tsx';
import type { PageRequest } from '#app/url-state.ts';
import { visibleText } from '#lib/visible-text.ts';
import { listDiscardedIssues } from '#product/issue-deletion/delete-issues.ts';
import { hasRight } from '#product/permissions.ts';
import { EmptyState } from '#ui/empty-state.tsx';
import { LevelBadge } from '#ui/level-badge.tsx';
import { ByUser, ListRow } from '#ui/list-row.tsx';
import { Page } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

export const metadata: Metadata = { title: 'Discarded issues' };

export default async function DiscardedIssuesPage({ params }: PageRequest<'org' | 'project'>) {
  const { org, slug, ctx } = await loadProjectPage(params);
  const discarded = await listDiscardedIssues(ctx, slug);
  const canRestore = hasRight(ctx.actor, 'event:admin');
  return (
    <Page
      width="narrow"
      title="Discarded issues"
      description="Issues that were deleted and whose future events are dropped. Dropped events are counted as “Discarded issue”."
    >
      {discarded.length === 0 ? (
        <EmptyState icon={<Trash2 aria-hidden />} title="No discarded issues">
          Managers can choose “Delete and discard” in the menu of an issue to drop its future events.
        </EmptyState>
      ) : (
        <ul className="divide-y rounded-lg border bg-surface-raised">
          {discarded.map((issue) => (
            <ListRow
              key={issue.id}
              title={
                <bdi className="truncate" title={visibleText(issue.title)}>
                  {visibleText(issue.title)}
                </bdi>
              }
              actions={
                canRestore ? (
                  <ActionButton
                    action={restoreAction.bind(null, org, { projectSlug: slug, discardedId: issue.id })}
                    label="Restore"
                    accessibleName={`Restore ${issue.shortId}`}
                    doneTitle={`Events of ${issue.shortId} are accepted again`}
                    size="sm"
                  />
                ) : null
              }
            >
              <p className="flex flex-wrap items-center gap-x-2">
                <LevelBadge level={issue.level} />
                <span className="mono">{issue.shortId}</span>
                <span>
                  discarded <RelativeTime at={issue.discardedAt} now={ctx.now()} />
                  <ByUser user={issue.discardedBy} />
                </span>
              </p>
            </ListRow>
          ))}
        </ul>
      )}
    </Page>
  );
}
