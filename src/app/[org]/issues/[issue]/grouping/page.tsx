import type { Metadata } from 'next';
import { LoadError } from '#app/shell/panel.tsx';
import { orUnavailable } from '#lib/or-unavailable.ts';
import { visibleData } from '#lib/visible-text.ts';
import { explainGrouping } from '#product/grouping/explain-grouping.ts';
import { listIssueChanges } from '#product/grouping/grouping-changes.ts';
import { listIssueHashes } from '#product/grouping/merge-issues.ts';
import { findIssueEvent } from '#product/issues/issue-events.ts';
import { hasRight } from '#product/permissions.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Card } from '#ui/card.tsx';
import { Notice } from '#ui/notice.tsx';
import { firstValue, type PageRequest } from '../../../../url-state.ts';
import { ChangeList } from '../../grouping-changes/change-list.tsx';
import { readIssueFilter, readIssueRequest } from '../issue-request.ts';
import { IssueViewPage } from '../issue-view-page.tsx';
import { Comparison } from './comparison.tsx';
import { HashTable } from './hash-table.tsx';
import { VariantList } from './variant-list.tsx';

export const metadata: Metadata = { title: 'Grouping' };

const HASHES_SHOWN = 500;

/** Why the events of an issue are one: its hashes, and what counted for one of its events. */
export default async function IssueGroupingPage({ params, searchParams }: PageRequest<'org' | 'issue'>) {
  const request = await readIssueRequest(params);
  const { ctx, issue, issueHref } = request;
  const query = await searchParams;
  const which = firstValue(query, 'event') || 'recommended';
  const filter = await readIssueFilter(request, query);
  const comparedWith = (firstValue(query, 'with') ?? '').trim();
  const [hashes, changes, found] = await Promise.all([
    listIssueHashes(ctx, issue, { limit: HASHES_SHOWN, withEvents: false }),
    listIssueChanges(ctx, issue),
    orUnavailable(findIssueEvent(ctx, issue, which)),
  ]);
  const event = found.ok ? found.value : null;
  const grouping = event && (await explainGrouping(ctx, event));
  const canTriage = hasRight(ctx.actor, 'event:write');
  return (
    <IssueViewPage
      request={request}
      view="grouping"
      filter={filter}
      actions={
        <ButtonLink href={`/${ctx.organization.slug}/settings/projects/${issue.projectSlug}/grouping`}>
          Grouping rules
        </ButtonLink>
      }
    >
      <div className="flex flex-col gap-4">
        {!found.ok ? (
          <LoadError title="The event store is unavailable">{found.reason}</LoadError>
        ) : event === null ? (
          <Notice title="No stored events">
            Grouping details need a stored event, and the events of this issue are past the retention period.
          </Notice>
        ) : grouping === null ? (
          <Notice title="The details of this event were not stored">
            During a spike, only some events are stored with details. Choose another event to see its
            grouping.
          </Notice>
        ) : (
          <VariantList
            grouping={visibleData(grouping)}
            eventId={event.eventId}
            eventHref={`${issueHref}/events/${event.eventId}`}
            storedHash={event.groupingHash}
          />
        )}
        <HashTable
          organizationSlug={ctx.organization.slug}
          shortId={issue.shortId}
          hashes={hashes}
          now={ctx.now()}
          canUnmerge={canTriage}
        />
        {changes.length > 0 ? (
          <Card flush id="changes" title="Merge history">
            <ChangeList
              changes={visibleData(changes)}
              organizationSlug={ctx.organization.slug}
              now={ctx.now()}
              canUndo={(change) =>
                change.kind === 'regroup' ? hasRight(ctx.actor, 'project:write') : canTriage
              }
            />
          </Card>
        ) : null}
        {event && grouping ? (
          <Comparison
            ctx={ctx}
            issueHref={issueHref}
            event={event}
            grouping={grouping}
            comparedWith={comparedWith}
          />
        ) : null}
      </div>
    </IssueViewPage>
  );
}
