import { cookies } from 'next/headers';
import { notFound } from 'next/navigation';
import { ApplyUploads } from '#app/[org]/apply-uploads/apply-uploads.tsx';
import { firstValue, parsePageFilters, type SearchParams, timeEntries } from '#app/url-state.ts';
import type { Context } from '#product/context.ts';
import { hasRight } from '#product/permissions.ts';
import type { Issue } from '#storage/ports/issues.ts';
import { Notice } from '#ui/notice.tsx';
import { ReloadButton } from '#ui/reload-button.tsx';
import { ActivityCard } from './activity-card.tsx';
import { BodySampledNotice } from './body-sampled-notice.tsx';
import type { EventPlace } from './event/event-place.ts';
import { EventSections } from './event/event-sections.tsx';
import { NO_LINKS } from './event/stack/frame-view.ts';
import { readStackOptions, STACK_COOKIE } from './event/stack/stack-options.ts';
import { EventGone } from './event-gone.tsx';
import { EventNavigation } from './event-navigation.tsx';
import { IssueGrid } from './issue-grid.tsx';
import { IssueHeader } from './issue-header.tsx';
import { IssueViews } from './issue-views.tsx';
import { loadIssuePage } from './load-issue-page.ts';
import { GuiltyLine } from './overview/guilty-line.tsx';
import { TrendCard } from './overview/trend-card.tsx';
import { WhatChanged } from './overview/what-changed.tsx';
import { WhoAndWhere } from './overview/who-and-where.tsx';
import { LinksCard } from './people/links-card.tsx';
import { MarkSeen } from './people/mark-seen.tsx';
import { PeopleCard } from './people/people-card.tsx';

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
  const filters = parsePageFilters(searchParams);
  const data = await loadIssuePage(ctx, issue, which, filters);
  const found = data.event;
  if (found.ok && !found.value && !EDGES.includes(which)) notFound();
  const shown = found.ok ? found.value : null;
  const organizationSlug = ctx.organization.slug;
  const issueHref = `/${organizationSlug}/issues/${issue.shortId}`;
  const place: EventPlace = {
    organizationSlug,
    projectSlug: issue.projectSlug,
    release: shown?.event.release ?? null,
    issueHref,
    eventHref: `${issueHref}/events/${shown?.event.eventId ?? which}`,
    pageHref: which === 'recommended' ? issueHref : `${issueHref}/events/${which}`,
    entries: timeEntries(filters.time),
    stack: readStackOptions(searchParams, (await cookies()).get(STACK_COOKIE)?.value),
    linkFrame: shown?.linkFrame ?? NO_LINKS,
    thread: threadOf(searchParams),
  };

  return (
    <div className="mx-auto w-full max-w-[1440px] px-4 pt-1 pb-16 sm:px-6">
      <MarkSeen organizationSlug={organizationSlug} shortId={issue.shortId} />
      <IssueViews issueHref={issueHref} current="details" />
      <IssueHeader ctx={ctx} issue={issue} data={data} canTriage={hasRight(ctx.actor, 'event:write')} />
      {found.ok ? null : (
        <div className="mb-4">
          <Notice tone="warning" title="The event store does not answer" actions={<ReloadButton />}>
            What follows comes from the issue itself; its events, chart and tags are there again as soon as
            the store is. Nothing is lost. ({found.reason})
          </Notice>
        </div>
      )}
      <IssueGrid
        overview={
          <>
            <TrendCard
              trend={data.trend}
              releases={data.releases.releases}
              filters={filters}
              issueHref={issueHref}
            />
            {shown ? <GuiltyLine event={shown.event.payload} place={place} /> : null}
          </>
        }
        context={
          <>
            <WhoAndWhere tags={data.tags} trend={data.trend} filters={filters} issueHref={issueHref} />
            <WhatChanged
              issue={issue}
              newestRelease={data.releases.newest}
              suspects={shown?.suspects ?? []}
              organizationSlug={organizationSlug}
              now={now}
            />
          </>
        }
        event={
          shown ? (
            <>
              <EventNavigation issueHref={issueHref} shown={shown} which={which} place={place} now={now} />
              {shown.event.isBodySampled ? <BodySampledNotice issueHref={issueHref} /> : null}
              <EventSections
                parts={shown}
                place={place}
                now={now}
                sourceActions={
                  <ApplyUploads
                    ctx={ctx}
                    runs={shown.applied}
                    projectSlug={issue.projectSlug}
                    scope={{ kind: 'issue', issueId: issue.id }}
                  />
                }
              />
            </>
          ) : found.ok ? (
            <EventGone issue={issue} />
          ) : null
        }
        people={
          <>
            <PeopleCard
              ctx={ctx}
              issue={issue}
              assignees={data.assignees}
              people={data.people}
              owners={shown?.owners ?? null}
            />
            <LinksCard ctx={ctx} issue={issue} links={data.links} trackers={data.trackers} />
            <ActivityCard ctx={ctx} issue={issue} page={data.activity} assignees={data.assignees} now={now} />
          </>
        }
      />
    </div>
  );
}

const EDGES: readonly string[] = ['recommended', 'latest', 'oldest'];

function threadOf(params: SearchParams): number | null {
  const value = firstValue(params, 'thread');
  return value !== null && /^\d{1,4}$/.test(value) ? Number(value) : null;
}
