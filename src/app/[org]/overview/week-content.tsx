import { withQuery } from '#app/url-state.ts';
import { settle } from '#lib/settle.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { Context } from '#product/context.ts';
import { getWeekOverview, type WeekOverview } from '#product/overview/get-week-overview.ts';
import { BarChart } from '#ui/bar-chart.tsx';
import { Card } from '#ui/card.tsx';
import { formatCount, formatExact, formatPlural } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';
import { Notice } from '#ui/notice.tsx';
import { ReloadButton } from '#ui/reload-button.tsx';
import { WeekIssues } from './week-issues.tsx';

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
          <Noisiest organizationSlug={org} noisiest={noisiest} />
        </div>
      </div>
    </div>
  );
}

function Noisiest({
  organizationSlug,
  noisiest: { projects, rules },
}: {
  organizationSlug: string;
  noisiest: WeekOverview['noisiest'];
}) {
  return (
    <>
      <Card flush id="projects" title="Loudest projects">
        {projects.length === 0 ? (
          <p className="px-4 py-3 text-sm text-text-muted">No project sent an error.</p>
        ) : (
          <ul className="divide-y">
            {projects.map(({ slug, name, events, before }) => (
              <li key={slug} className="flex items-baseline gap-3 px-4 py-2.5 text-sm">
                <Link
                  href={`/${organizationSlug}/issues?project=${encodeURIComponent(slug)}&range=7d`}
                  className="min-w-0 flex-1 truncate text-text no-underline hover:underline"
                >
                  <bdi>{visibleText(name)}</bdi>
                </Link>
                <span className="text-text-muted text-xs">{changeWords({ total: events, before })}</span>
                <span className="numbers" title={formatPlural(events, 'error')}>
                  {formatCount(events)}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Card flush id="rules" title="Loudest alert rules">
        {rules.length === 0 ? (
          <p className="px-4 py-3 text-sm text-text-muted">No alert rule fired.</p>
        ) : (
          <ul className="divide-y">
            {rules.map(({ ruleId, name, projectSlug, firings }) => (
              <li key={ruleId} className="flex items-baseline gap-3 px-4 py-2.5 text-sm">
                <Link
                  href={`/${organizationSlug}/alerts/${ruleId}`}
                  className="min-w-0 flex-1 truncate text-text no-underline hover:underline"
                >
                  <bdi>{visibleText(name)}</bdi>
                </Link>
                <span className="text-text-muted text-xs">{projectSlug}</span>
                <span className="numbers" title={formatPlural(firings, 'firing')}>
                  {formatCount(firings)}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Card>
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
