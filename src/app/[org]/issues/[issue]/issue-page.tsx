import { CalendarX2 } from 'lucide-react';
import { cookies } from 'next/headers';
import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import { ApplyUploads } from '#app/[org]/apply-uploads/apply-uploads.tsx';
import { EmptyPanel, LoadError } from '#app/shell/panel.tsx';
import { firstValue, type SearchParams } from '#app/url-state.ts';
import type { Issue } from '#domain/issues/issue.ts';
import { hasRight } from '#product/permissions.ts';
import { getServices } from '#product/services.ts';
import { formatPlural } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';
import { Notice } from '#ui/notice.tsx';
import { ExactTime } from '#ui/relative-time.tsx';
import { ActivityCard } from './activity-card.tsx';
import { AtAGlance } from './event/at-a-glance.tsx';
import type { EventPlace } from './event/event-parts.ts';
import { EventSections } from './event/event-sections.tsx';
import { NO_LINKS } from './event/stack/frame-view.ts';
import { readStackOptions, STACK_COOKIE } from './event/stack/stack-options.ts';
import { EventNavigation } from './event-navigation.tsx';
import { MarkSeen } from './issue-live.tsx';
import { type IssueRequest, readIssueFilter } from './issue-request.ts';
import { IssueViewPage } from './issue-view-page.tsx';
import { loadIssuePage } from './load-issue-page.ts';
import { FirstLastSeen } from './overview/first-last-seen.tsx';
import { TopTags } from './overview/top-tags.tsx';
import { TrendCard } from './overview/trend-card.tsx';
import { LinksCard } from './people/links-card.tsx';
import { PeopleCard } from './people/people-card.tsx';

/** Everything about one issue, with one of its events. `which` is an event id, `recommended`, `latest` or `oldest`. */
export async function IssuePage({
  request,
  which,
  searchParams,
}: {
  request: IssueRequest;
  which: string;
  searchParams: SearchParams;
}) {
  const { ctx, issue, issueHref } = request;
  const now = ctx.now();
  const filter = await readIssueFilter(request, searchParams);
  const data = await loadIssuePage(ctx, issue, which, filter);
  const found = data.event;
  if (found.ok && !found.value && !EDGES.includes(which)) notFound();
  const shown = found.ok ? found.value : null;
  const organizationSlug = ctx.organization.slug;
  const place: EventPlace = {
    organizationSlug,
    projectSlug: issue.projectSlug,
    shortId: issue.shortId,
    release: shown?.event.release ?? null,
    issueHref,
    canReply: getServices().mailer.isConfigured && hasRight(ctx.actor, 'event:write'),
    eventHref: `${issueHref}/events/${shown?.event.eventId ?? which}`,
    pageHref: which === 'recommended' ? issueHref : `${issueHref}/events/${which}`,
    entries: filter.entries,
    stack: readStackOptions(searchParams, (await cookies()).get(STACK_COOKIE)?.value),
    linkFrame: shown?.linkFrame ?? NO_LINKS,
    thread: threadOf(searchParams),
  };

  return (
    <IssueViewPage request={request} view="overview" filter={filter} hasFilters>
      <MarkSeen organizationSlug={organizationSlug} shortId={issue.shortId} />
      {found.ok ? null : (
        <div className="mb-4">
          <LoadError title="The event store is unavailable">
            Events, charts, and tags are unavailable until it recovers. No data is lost. ({found.reason})
          </LoadError>
        </div>
      )}
      <IssueGrid
        main={
          <>
            <TrendCard
              issue={issue}
              trend={data.trend}
              releases={data.releases.releases}
              filter={filter}
              issueHref={issueHref}
              now={now}
            />
            {shown ? (
              <>
                <EventNavigation issueHref={issueHref} shown={shown} which={which} place={place} now={now} />
                {shown.isOutside && EDGES.includes(which) ? <NothingMatches issueHref={issueHref} /> : null}
                <AtAGlance event={shown.event} profile={shown.profile} place={place} />
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
            ) : null}
          </>
        }
        people={
          <PeopleCard
            ctx={ctx}
            issue={issue}
            assignees={data.assignees}
            people={data.people}
            owners={shown?.owners ?? null}
          />
        }
        context={
          <>
            <TopTags tags={data.tags} trend={data.trend} filter={filter} issueHref={issueHref} />
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
        rest={
          <>
            <LinksCard ctx={ctx} issue={issue} links={data.links} trackers={data.trackers} />
            <ActivityCard ctx={ctx} issue={issue} page={data.activity} assignees={data.assignees} now={now} />
          </>
        }
      />
    </IssueViewPage>
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
      <Link href={issueHref} className="link">
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

/** Says that what is shown is not of the filter, since nothing is. */
function NothingMatches({ issueHref }: { issueHref: string }) {
  return (
    <Notice title="No events match these filters">
      Below is an event from outside them.{' '}
      <Link href={issueHref} className="link">
        Clear filters
      </Link>
    </Notice>
  );
}

/**
 * Beside each other where there is room: what happened, and for whom; what is beside stays in sight. On a phone they stand
 * under each other: who works on it, what happened, for whom.
 */
function IssueGrid({
  main,
  context,
  people,
  rest,
}: {
  main: ReactNode;
  context: ReactNode;
  people: ReactNode;
  rest: ReactNode;
}) {
  return (
    <div className="flex flex-col gap-4 [reading-flow:flex-visual] lg:grid lg:grid-cols-[minmax(0,1fr)_320px] lg:items-start">
      <div className="order-2 min-w-0 space-y-3">{main}</div>
      <aside
        aria-label="Issue details"
        className="contents lg:sticky lg:top-[calc(var(--issue-body-top)+1rem)] lg:order-3 lg:flex lg:max-h-[calc(100vh-var(--issue-body-top)-2rem)] lg:min-w-0 lg:flex-col lg:gap-4 lg:overflow-y-auto lg:[scrollbar-width:thin]"
      >
        <div className="order-3 min-w-0 space-y-4 lg:order-1">{context}</div>
        <div className="order-1 min-w-0 space-y-4 lg:order-2">{people}</div>
        <div className="order-4 min-w-0 space-y-4 lg:order-3">{rest}</div>
      </aside>
    </div>
  );
}
