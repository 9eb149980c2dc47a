import type { Issue } from '#domain/issues/issue.ts';
import type { Context } from '#product/context.ts';
import type { IssueLink } from '#product/issue-links/issue-link-store.ts';
import { hasRight } from '#product/permissions.ts';
import { TRACKER_LABELS } from '#product/trackers/tracker-kinds.ts';
import type { Tracker } from '#product/trackers/tracker-store.ts';
import { Card } from '#ui/card.tsx';
import { LinkButton, LinkList } from './issue-links.tsx';

/** Issues, commits and requests of other systems that belong to this one. */
export function LinksCard({
  ctx,
  issue,
  links,
  trackers,
}: {
  ctx: Context;
  issue: Issue;
  links: readonly IssueLink[];
  trackers: readonly Tracker[];
}) {
  const place = { organizationSlug: ctx.organization.slug, shortId: issue.shortId };
  const canChange = hasRight(ctx.actor, 'event:write');
  if (links.length === 0 && !canChange) return null;
  return (
    <Card id="links" title="Linked issues">
      {links.length > 0 ? (
        <LinkList
          place={place}
          links={links.map(({ id, url, title, tracked }) => ({
            id,
            url,
            title,
            host: new URL(url).host,
            tracked: tracked && { trackerId: tracked.trackerId, reference: tracked.key },
            stateName: tracked?.stateName ?? null,
            isClosed: tracked?.state === 'closed',
          }))}
          canChange={canChange}
        />
      ) : null}
      {canChange ? (
        <LinkButton
          place={place}
          hasLinks={links.length > 0}
          trackers={trackers.map(({ id, kind, name, url }) => ({
            id,
            kind,
            name,
            url,
            projectWord: TRACKER_LABELS[kind].project,
          }))}
        />
      ) : null}
    </Card>
  );
}
