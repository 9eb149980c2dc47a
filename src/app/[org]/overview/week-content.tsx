import type { ReactNode } from 'react';
import { LoadError } from '#app/shell/panel.tsx';
import { type TimeRange, timeEntries, withQuery } from '#app/url-state.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import { DAY_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { getWeekOverview, type WeekOverview } from '#product/overview/get-week-overview.ts';
import { BarChart } from '#ui/bar-chart.tsx';
import { Card } from '#ui/card.tsx';
import { formatCount, formatExact, formatPlural } from '#ui/format-number.ts';
import { WeekIssues } from './week-issues.tsx';
import { WeekList } from './week-list.tsx';
import { weekTime } from './week-state.ts';

/** The lists of a week, with `children` as further cards; `endsAtMs` null for the seven days up to now. */
export async function WeekContent({
  ctx,
  endsAtMs,
  children,
}: {
  ctx: Context;
  endsAtMs: number | null;
  children: ReactNode;
}) {
  const read = await orUnavailable(getWeekOverview(ctx, endsAtMs === null ? {} : { endsAtMs }));
  if (!read.ok) {
    return <LoadError what="the weekly summary">{read.reason}</LoadError>;
  }
  const { range, events, created, regressed, fixed, frequent, noisiest } = read.value;
  const org = ctx.organization.slug;
  const iso = (ms: number) => new Date(ms).toISOString().slice(0, 19);
  return (
    <div className="flex flex-col gap-5">
      <Card
        id="errors"
        title={
          <>
            Errors{' '}
            <span className="numbers font-normal text-text-muted">
              {formatExact(events.total)}, {changeLabel(events)}
            </span>
          </>
        }
      >
        <BarChart
          label="Errors"
          unit="errors"
          series={[{ label: 'Errors', color: 'var(--color-chart)', values: events.days }]}
          fromMs={range.fromMs}
          bucketMs={DAY_MS}
          height={96}
        />
      </Card>
      <div className="-mb-5 gap-5 *:mb-5 *:break-inside-avoid lg:columns-2">
        <WeekIssues
          organizationSlug={org}
          id="new"
          title="New issues"
          total={created.total}
          issues={created.issues}
          allHref={withQuery(`/${org}/issues`, {
            query: `firstSeen:>=${iso(range.fromMs)} firstSeen:<${iso(range.toMs)}`,
            range: '90d',
          })}
          empty="No new issues."
        />
        <WeekIssues
          organizationSlug={org}
          id="regressed"
          title="Regressed"
          total={regressed.total}
          issues={regressed.issues}
          empty="No regressed issues."
        />
        <WeekIssues
          organizationSlug={org}
          id="fixed"
          title="Resolved"
          total={fixed.total}
          issues={fixed.issues}
          empty="No issues were resolved."
        />
        {frequent === null ? (
          <LoadError what="the most frequent issues">The event store is unavailable.</LoadError>
        ) : (
          <WeekIssues
            organizationSlug={org}
            id="frequent"
            title="Most frequent"
            total={null}
            issues={frequent}
            empty="No events."
          />
        )}
        <Noisiest organizationSlug={org} time={weekTime(endsAtMs, range)} noisiest={noisiest} />
        {children}
      </div>
    </div>
  );
}

function Noisiest({
  organizationSlug,
  time,
  noisiest: { projects, rules },
}: {
  organizationSlug: string;
  /** Of the week that is shown. */
  time: TimeRange;
  noisiest: WeekOverview['noisiest'];
}) {
  return (
    <>
      <WeekList
        id="projects"
        title="Noisiest projects"
        empty="No errors in any project."
        rows={projects.map(({ slug, name, events, before }) => ({
          href: withQuery(`/${organizationSlug}/issues`, { project: slug, ...timeEntries(time) }),
          name,
          hint: changeLabel({ total: events, before }),
          value: formatCount(events),
          valueTitle: formatPlural(events, 'error'),
        }))}
      />
      <WeekList
        id="rules"
        title="Noisiest alert rules"
        empty="No alert rules were triggered."
        rows={rules.map(({ ruleId, name, projectSlug, firings }) => ({
          href: `/${organizationSlug}/alerts/${ruleId}`,
          name,
          hint: projectSlug,
          value: formatCount(firings),
          valueTitle: formatPlural(firings, 'time'),
        }))}
      />
    </>
  );
}

/** How the week compares with the one before: `12% more than the previous week`. */
export function changeLabel({ total, before }: { total: number; before: number }): string {
  if (before === 0) return total === 0 ? 'same as the previous week' : 'none in the previous week';
  const percent = Math.round(((total - before) / before) * 100);
  if (percent === 0) return 'same as the previous week';
  return `${formatExact(Math.abs(percent))}% ${percent > 0 ? 'more' : 'fewer'} than the previous week`;
}
