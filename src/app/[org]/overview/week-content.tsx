import { type TimeRange, timeEntries, withQuery } from '#app/url-state.ts';
import { settle } from '#lib/settle.ts';
import type { Context } from '#product/context.ts';
import { getWeekOverview, type WeekOverview } from '#product/overview/get-week-overview.ts';
import { BarChart } from '#ui/bar-chart.tsx';
import { Card } from '#ui/card.tsx';
import { formatExact } from '#ui/format-number.ts';
import { Notice } from '#ui/notice.tsx';
import { ReloadButton } from '#ui/reload-button.tsx';
import { LoudList } from './loud-list.tsx';
import { WeekIssues } from './week-issues.tsx';
import { weekTime } from './week-state.ts';

const DAY_MS = 86_400_000;

/** The lists of a week; `endsAtMs` null for the seven days up to now. */
export async function WeekContent({ ctx, endsAtMs }: { ctx: Context; endsAtMs: number | null }) {
  const read = await settle(getWeekOverview(ctx, endsAtMs === null ? {} : { endsAtMs }));
  if (!read.ok) {
    return (
      <Notice tone="warning" title="The week cannot be shown now" actions={<ReloadButton />}>
        {read.reason}
      </Notice>
    );
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
              {formatExact(events.total)}, {changeWords(events)}
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
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-5">
          <WeekIssues
            organizationSlug={org}
            id="new"
            title="New"
            total={created.total}
            issues={created.issues}
            allHref={withQuery(`/${org}/issues`, {
              query: `firstSeen:>=${iso(range.fromMs)} firstSeen:<${iso(range.toMs)}`,
              range: '90d',
            })}
            empty="Nothing happened for the first time."
          />
          <WeekIssues
            organizationSlug={org}
            id="regressed"
            title="Came back"
            total={regressed.total}
            issues={regressed.issues}
            empty="Nothing that was resolved came back."
          />
          <WeekIssues
            organizationSlug={org}
            id="fixed"
            title="Fixed"
            total={fixed.total}
            issues={fixed.issues}
            empty="Nothing was resolved, or it is open again."
          />
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          {frequent === null ? (
            <Notice
              tone="warning"
              title="The most frequent issues cannot be told now"
              actions={<ReloadButton />}
            >
              The store of events does not answer.
            </Notice>
          ) : (
            <WeekIssues
              organizationSlug={org}
              id="frequent"
              title="Most frequent"
              total={null}
              issues={frequent}
              empty="Nothing happened at all."
            />
          )}
          <Noisiest organizationSlug={org} time={weekTime(endsAtMs, range)} noisiest={noisiest} />
        </div>
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
      <LoudList
        id="projects"
        title="Loudest projects"
        unit="error"
        empty="No project sent an error."
        rows={projects.map(({ slug, name, events, before }) => ({
          href: withQuery(`/${organizationSlug}/issues`, { project: slug, ...timeEntries(time) }),
          name,
          hint: changeWords({ total: events, before }),
          count: events,
        }))}
      />
      <LoudList
        id="rules"
        title="Loudest alert rules"
        unit="firing"
        empty="No alert rule fired."
        rows={rules.map(({ ruleId, name, projectSlug, firings }) => ({
          href: `/${organizationSlug}/alerts/${ruleId}`,
          name,
          hint: projectSlug,
          count: firings,
        }))}
      />
    </>
  );
}

/** How much it was in the week before: `12 % more`, `as before`. */
export function changeWords({ total, before }: { total: number; before: number }): string {
  if (before === 0) return total === 0 ? 'as in the week before' : 'none in the week before';
  const percent = Math.round(((total - before) / before) * 100);
  if (percent === 0) return 'as in the week before';
  return `${formatExact(Math.abs(percent))} % ${percent > 0 ? 'more' : 'fewer'} than in the week before`;
}
