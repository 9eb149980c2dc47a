import { notFound } from 'next/navigation';
import { Suspense } from 'react';
import { settle } from '#lib/settle.ts';
import type { Context } from '#product/context.ts';
import { getIssueEvent } from '#product/issues/get-issue-event.ts';
import { listIssueTags } from '#product/issues/list-issue-tags.ts';
import { hasRight } from '#product/permissions.ts';
import type { Issue } from '#storage/ports/issues.ts';
import { Notice } from '#ui/notice.tsx';
import { ReloadButton } from '#ui/reload-button.tsx';
import { parseRange, rangeBounds, type SearchParams } from '../../../url-state.ts';
import { ActivityCard } from './activity-card.tsx';
import { BodySampledNotice } from './body-sampled-notice.tsx';
import { EventSections } from './event/event-sections.tsx';
import { GuiltyLine } from './event/guilty-line.tsx';
import { EventGone } from './event-gone.tsx';
import { EventNavigation } from './event-navigation.tsx';
import { IssueFacts } from './issue-facts.tsx';
import { IssueHeader } from './issue-header.tsx';
import { LinksCard } from './people/links-card.tsx';
import { MarkSeen } from './people/mark-seen.tsx';
import { PeopleCard } from './people/people-card.tsx';
import { TagDistributions, TagDistributionsSkeleton } from './tag-distributions.tsx';
import { loadTrend, TrendCard, TrendCardSkeleton } from './trend-card.tsx';

/** Everything about one issue, with one of its events. `which` is an event id, `recommended`, `latest` or `oldest`. */
export async function IssuePage({
  ctx,
  issue,
  which,
  searchParams,
}: {
  ctx: Context;
  issue: Issue;
  which: string;
  searchParams: SearchParams;
}) {
  const now = ctx.now();
  const range = parseRange(searchParams);
  const trend = inBackground(loadTrend(ctx, issue, range));
  const tags = inBackground(settle(listIssueTags(ctx, issue, { range: rangeBounds(range, now) })));
  const found = await settle(getIssueEvent(ctx, issue, which));
  if (found.ok && !found.value && !EDGES.includes(which)) notFound();
  const event = found.ok ? found.value : null;
  const issueHref = `/${ctx.organization.slug}/issues/${issue.shortId}`;

  return (
    <div className="mx-auto w-full max-w-[1440px] px-4 pt-4 pb-16 sm:px-6">
      <MarkSeen organizationSlug={ctx.organization.slug} shortId={issue.shortId} />
      <IssueHeader ctx={ctx} issue={issue} now={now} canTriage={hasRight(ctx.actor, 'event:write')} />
      {found.ok ? null : (
        <div className="mb-4">
          <Notice tone="warning" title="The event store does not answer" actions={<ReloadButton />}>
            What follows comes from the issue itself; its events, chart and tags are there again as soon as
            the store is. Nothing is lost. ({found.reason})
          </Notice>
        </div>
      )}
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_320px]">
        <div className="min-w-0 space-y-4">
          <Suspense key={range} fallback={<TrendCardSkeleton />}>
            <TrendCard
              trend={trend}
              range={range}
              issueHref={issueHref}
              eventHref={which === 'recommended' ? issueHref : `${issueHref}/events/${which}`}
            />
          </Suspense>
          {event ? (
            <>
              <GuiltyLine event={event.event.payload} />
              <EventNavigation
                organizationSlug={ctx.organization.slug}
                issue={issue}
                event={event}
                now={now}
              />
              {event.event.isBodySampled ? <BodySampledNotice issueHref={issueHref} /> : null}
              <EventSections
                organizationSlug={ctx.organization.slug}
                event={event.event}
                jsonHref={`${issueHref}/events/${event.event.eventId}/json`}
              />
            </>
          ) : found.ok ? (
            <EventGone issue={issue} />
          ) : null}
        </div>
        <aside aria-label="About the issue" className="min-w-0 space-y-4">
          <IssueFacts issue={issue} issueHref={issueHref} />
          <PeopleCard ctx={ctx} issue={issue} event={event?.event ?? null} />
          <Suspense key={range} fallback={<TagDistributionsSkeleton />}>
            <TagDistributions tags={tags} range={range} organizationSlug={ctx.organization.slug} />
          </Suspense>
          <LinksCard ctx={ctx} issue={issue} />
          <ActivityCard ctx={ctx} issue={issue} now={now} />
        </aside>
      </div>
    </div>
  );
}

const EDGES: readonly string[] = ['recommended', 'latest', 'oldest'];

/** Work that a later part of the page awaits; should the page fail before, its own failure is the one to tell. */
function inBackground<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {});
  return work;
}
