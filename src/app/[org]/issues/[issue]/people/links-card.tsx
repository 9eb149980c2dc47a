import type { Context } from '#product/context.ts';
import { hasRight } from '#product/permissions.ts';
import type { IssueLink } from '#storage/ports/issue-links.ts';
import type { Issue } from '#storage/ports/issues.ts';
import { Card } from '#ui/card.tsx';
import { LinkForm, LinkList } from './issue-links.tsx';

/** Issues of other systems that belong to this one. */
export function LinksCard({
  ctx,
  issue,
  links,
}: {
  ctx: Context;
  issue: Issue;
  links: readonly IssueLink[];
}) {
  const place = { organizationSlug: ctx.organization.slug, shortId: issue.shortId };
  const canChange = hasRight(ctx.actor, 'event:write');
  if (links.length === 0 && !canChange) return null;
  return (
    <Card id="links" title="Linked issues">
      {links.length > 0 ? (
        <LinkList
          place={place}
          links={links.map(({ id, url, title }) => ({ id, url, title, host: new URL(url).host }))}
          canChange={canChange}
        />
      ) : null}
      {canChange ? <LinkForm place={place} hasLinks={links.length > 0} /> : null}
    </Card>
  );
}
