import type { Widget } from '#domain/dashboards/dashboard.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { WidgetData } from '#product/dashboards/read-widget.ts';
import type { GroupedRows } from '#product/explore/rows/explored-rows.ts';
import type { IssueRow } from '#product/issues/list-issues.ts';
import { formatCount, formatCountChange, formatPlural } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { ChartLegend } from '../../explore/rows/chart-legend.tsx';
import { formatValue, formatValueExactly } from '../../explore/rows/format-value.ts';
import { RowsChart } from '../../explore/rows/rows-chart.tsx';
import { ROWS_PAGES, type RowsPlace, rowsHref } from '../../explore/rows/rows-state.ts';
import { linesOf } from '../../explore/rows/rows-summary.tsx';
import { RowGroups, RowSamples } from '../../explore/rows/rows-tables.tsx';
import { IssueSummary } from '../../issues/issue-summaries.tsx';

/** The answer of a widget. */
export function WidgetBody({
  widget,
  data,
  place,
  now,
}: {
  widget: Widget;
  data: WidgetData;
  place: RowsPlace;
  now: number;
}) {
  switch (data.kind) {
    case 'text':
      return (
        <p className="max-w-[75ch] whitespace-pre-wrap p-4 text-sm [overflow-wrap:anywhere]">
          {visibleText(widget.text)}
        </p>
      );
    case 'number':
      return <BigNumber totals={data.totals} before={data.before} place={place} now={now} />;
    case 'table':
      return data.table.groups.length === 0 ? (
        <Nothing />
      ) : (
        <RowGroups place={place} table={data.table} totals={data.totals} now={now} />
      );
    case 'issues':
      return data.issues.length === 0 ? (
        <Nothing />
      ) : (
        <IssueRows organizationSlug={place.organizationSlug} issues={data.issues} now={now} />
      );
    case 'list':
      return data.rows.length === 0 ? <Nothing /> : <RowSamples place={place} rows={data.rows} now={now} />;
    case 'chart': {
      const [first] = data.chart.functions;
      if (!first || data.chart.series.length === 0) return <Nothing />;
      const lines = linesOf(
        { chart: data.chart, totals: data.totals, before: null },
        data.totals.issueTitles,
      );
      return (
        <div className="p-4">
          <RowsChart
            label={first.name}
            unit={`${ROWS_PAGES[place.state.page].one}s`}
            type={widget.display === 'line' && first.type === 'integer' ? 'number' : first.type}
            series={lines}
            fromMs={data.chart.range.bucketsFromMs}
            bucketMs={data.chart.bucketMs}
            height={PLOT_HEIGHTS[widget.height]}
          />
          {widget.groupBy.length > 0 ? <ChartLegend lines={lines} /> : null}
        </div>
      );
    }
  }
}

/** Of a chart, in pixels, by the height of its widget: what the title, the times and the names of the lines leave. */
const PLOT_HEIGHTS: Readonly<Record<number, number>> = { 1: 50, 2: 155, 3: 315, 4: 475 };

const Nothing = () => <p className="p-4 text-sm text-text-muted">No data in this time.</p>;

/** Issues with their events in the range. */
function IssueRows({
  organizationSlug,
  issues,
  now,
}: {
  organizationSlug: string;
  issues: readonly IssueRow[];
  now: number;
}) {
  return (
    <ul>
      {issues.map((issue) => (
        <li key={issue.id} className="border-b last:border-b-0">
          <IssueSummary organizationSlug={organizationSlug} issue={issue}>
            <EventsInRange activity={issue.activity} />
            <RelativeTime
              at={issue.lastSeen}
              now={now}
              variant="short"
              className="numbers w-8 shrink-0 text-right text-text-muted text-xs"
            />
          </IssueSummary>
        </li>
      ))}
    </ul>
  );
}

function EventsInRange({ activity }: Pick<IssueRow, 'activity'>) {
  if (!activity) return null;
  return (
    <span
      className="numbers shrink-0 text-sm"
      title={`${formatPlural(activity.events, 'event')} in the selected time range`}
    >
      {formatCount(activity.events)}
    </span>
  );
}

/** The first function over all rows, beside the period before; the others below it. */
function BigNumber({
  totals,
  before,
  place,
  now,
}: {
  totals: GroupedRows;
  before: GroupedRows;
  place: RowsPlace;
  now: number;
}) {
  return (
    <dl className="flex h-full flex-wrap items-center gap-x-8 gap-y-2 p-4">
      {totals.functions.map(({ name, type }, index) => {
        const value = totals.groups[0]?.values[index] ?? null;
        const earlier = before.groups[0]?.values[index] ?? null;
        const change =
          value !== null && earlier !== null && type !== 'date'
            ? formatCountChange(round(value), round(earlier))
            : null;
        return (
          <div key={name} className="flex min-w-0 flex-col-reverse">
            <dt className="mono break-anything text-text-muted text-xs">{name}</dt>
            <dd className="numbers font-semibold text-2xl" title={formatValueExactly(value, type)}>
              <Link
                href={rowsHref(place, {
                  view: 'samples',
                  sort: null,
                  fields: ROWS_PAGES[place.state.page].fields,
                })}
                className="text-text no-underline hover:underline"
              >
                {type === 'date' && value !== null ? (
                  <RelativeTime at={value} now={now} />
                ) : (
                  formatValue(value, type)
                )}
              </Link>
              {change ? (
                <span className="ml-2 font-normal text-text-muted text-xs">
                  {change} from the previous period
                </span>
              ) : null}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

/** Enough digits for a percentage. */
const round = (value: number): number => Math.round(value * 1_000) / 1_000;
