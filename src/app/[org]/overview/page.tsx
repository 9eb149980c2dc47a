import type { Metadata } from 'next';
import { Suspense } from 'react';
import { getRequestContext } from '#app/request-context.ts';
import { type PageRequest, withQuery } from '#app/url-state.ts';
import { Page } from '#ui/page-header.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { TabLinks } from '#ui/tabs.tsx';
import { WeekContent } from './week-content.tsx';
import { parseWeek, weekLabel, weeksBefore } from './week-state.ts';
import { WeekWatchCards } from './week-watch.tsx';

export const metadata: Metadata = { title: 'Weekly summary' };

/** A week of the organization: what is new, what came back, what was fixed, and what is loudest. */
export default async function OverviewPage({ params, searchParams }: PageRequest<'org'>) {
  const { org } = await params;
  const ctx = await getRequestContext(org);
  const now = ctx.now();
  const { week, endsAtMs } = parseWeek(await searchParams, now);
  const offered = weeksBefore(now);
  const weeks = week === null || offered.includes(week) ? offered : [week, ...offered];
  const path = `/${org}/overview`;
  return (
    <Page
      title="Weekly summary"
      description="New, regressed, and resolved issues, the noisiest projects and alerts, failing monitors, crash-free sessions, and new feedback."
    >
      <div className="mb-4 border-b">
        <TabLinks
          label="Weeks"
          tabs={[
            { href: path, label: 'Last 7 days', isCurrent: week === null },
            ...weeks.map((monday) => ({
              href: withQuery(path, { week: monday }),
              label: weekLabel(monday),
              isCurrent: week === monday,
            })),
          ]}
        />
      </div>
      <Suspense key={week ?? 'now'} fallback={<WeekSkeleton />}>
        <WeekContent ctx={ctx} endsAtMs={endsAtMs}>
          <WeekWatchCards ctx={ctx} endsAtMs={endsAtMs} />
        </WeekContent>
      </Suspense>
    </Page>
  );
}

function WeekSkeleton() {
  return (
    <div aria-busy className="flex flex-col gap-5">
      <p role="status" className="sr-only">
        Loading
      </p>
      <Skeleton className="h-44 w-full" />
      <div className="grid gap-5 lg:grid-cols-2">
        {[0, 1, 2, 3].map((card) => (
          <Skeleton key={card} className="h-56 w-full" />
        ))}
      </div>
    </div>
  );
}
