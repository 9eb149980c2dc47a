import { CalendarX2 } from 'lucide-react';
import { cookies } from 'next/headers';
import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import { ApplyUploads } from '#app/[org]/apply-uploads/apply-uploads.tsx';
import { EmptyPanel, LoadError } from '#app/shell/panel.tsx';
import { firstValue, parsePageFilters, type SearchParams, timeEntries } from '#app/url-state.ts';
import type { Issue } from '#domain/issues/issue.ts';
import type { Context } from '#product/context.ts';
import { hasRight } from '#product/permissions.ts';
import { formatPlural } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';
import { Notice } from '#ui/notice.tsx';
import { ExactTime } from '#ui/relative-time.tsx';
import { ActivityCard } from './activity-card.tsx';
import type { EventPlace } from './event/event-parts.ts';
import { EventSections } from './event/event-sections.tsx';
import { NO_LINKS } from './event/stack/frame-view.ts';
import { readStackOptions, STACK_COOKIE } from './event/stack/stack-options.ts';
import { EventNavigation } from './event-navigation.tsx';
import { IssueHeader } from './issue-header.tsx';
import { MarkSeen } from './issue-live.tsx';
import { IssueViews } from './issue-view-page.tsx';
import { loadIssuePage } from './load-issue-page.ts';
import { CrashFrameCard } from './overview/crash-frame-card.tsx';
import { FirstLastSeen } from './overview/first-last-seen.tsx';
import { TopTags } from './overview/top-tags.tsx';
import { TrendCard } from './overview/trend-card.tsx';
import { LinksCard } from './people/links-card.tsx';
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
          <LoadError title="The event store is unavailable">
            Events, charts, and tags are unavailable until it recovers. No data is lost. ({found.reason})
          </LoadError>
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
            {shown ? <CrashFrameCard event={shown.event.payload} place={place} /> : null}
          </>
        }
        context={
          <>
            <TopTags tags={data.tags} trend={data.trend} filters={filters} issueHref={issueHref} />
            <FirstLastSeen
              issue={issue}
              newestRelease={data.releases.newest}
              isInNewest={data.releases.isInNewest}
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

/** Says why an event has no stack: spike protection kept only what is counted. */
function BodySampledNotice({ issueHref }: { issueHref: string }) {
  return (
    <Notice title="The details of this event were not stored">
      This issue had so many events in this hour that spike protection stored the details of only a sample.
      Counts, users, and tags are still exact.{' '}
      <Link href={issueHref} className="text-accent underline underline-offset-2">
        Show an event with details
      </Link>
    </Notice>
  );
}

/** The issue is known, its events are not kept any more. */
function EventGone({ issue }: { issue: Issue }) {
  return (
    <EmptyPanel icon={<CalendarX2 />} title="The events of this issue have been deleted">
      The issue was seen {formatPlural(issue.timesSeen, 'time')}, most recently on{' '}
      <ExactTime at={issue.lastSeen} className="text-text" />. Events are deleted after the retention period,
      but counts are kept. If the issue happens again, the new event appears here.
    </EmptyPanel>
  );
}

/**
 * Beside each other where there is room: what happened, with the event below it, and for whom, with the people below.
 * On a phone they stand under each other in the order in which they are asked: what, for whom, the event, the people.
 */
function IssueGrid({
  overview,
  context,
  event,
  people,
}: {
  overview: ReactNode;
  context: ReactNode;
  event: ReactNode;
  people: ReactNode;
}) {
  return (
    <div className="flex flex-col gap-4 [reading-flow:flex-visual] lg:grid lg:grid-cols-[minmax(0,1fr)_320px] lg:items-start">
      <div className="contents lg:block lg:min-w-0 lg:space-y-4">
        <div className="order-1 min-w-0 space-y-4">{overview}</div>
        <div className="order-3 min-w-0 space-y-4">{event}</div>
      </div>
      <aside aria-label="Issue details" className="contents lg:block lg:min-w-0 lg:space-y-4">
        <div className="order-2 min-w-0 space-y-4">{context}</div>
        <div className="order-4 min-w-0 space-y-4">{people}</div>
      </aside>
    </div>
  );
}
