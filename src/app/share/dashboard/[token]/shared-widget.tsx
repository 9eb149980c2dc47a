import { ChartLegend } from '#app/[org]/explore/rows/chart-legend.tsx';
import { formatValue, formatValueExactly } from '#app/[org]/explore/rows/format-value.ts';
import { linesOf } from '#app/[org]/explore/rows/rows-summary.tsx';
import { visibleText } from '#lib/visible-text.ts';
import type { GroupedRows } from '#product/explore/rows/explored-rows.ts';
import type { SharedWidget } from '#product/sharing/open-shared-dashboard.ts';
import { Card } from '#ui/card.tsx';
import { formatCount } from '#ui/format-number.ts';
import { ScrollRegion } from '#ui/table.tsx';
import { SharedChart } from './shared-chart.tsx';

/** What a widget shows, without anything that leads into the organization. */
export function SharedWidgetCard({ widget, data }: SharedWidget) {
  return (
    <Card
      flush
      id={`widget-${widget.id}`}
      className="flex h-full min-w-0 flex-col overflow-hidden"
      title={<bdi>{visibleText(widget.title)}</bdi>}
    >
      <ScrollRegion
        label={visibleText(widget.title)}
        className="h-full min-h-0 overflow-auto max-md:max-h-96"
      >
        <Body widget={widget} data={data} />
      </ScrollRegion>
    </Card>
  );
}

function Body({ widget, data }: SharedWidget) {
  if (data === null) return <Nothing>Couldn’t load this widget.</Nothing>;
  switch (data.kind) {
    case 'text':
      return (
        <p className="max-w-[75ch] whitespace-pre-wrap p-4 text-sm [overflow-wrap:anywhere]">
          {visibleText(widget.text)}
        </p>
      );
    case 'number':
      return (
        <dl className="flex h-full flex-wrap items-center gap-x-8 gap-y-2 p-4">
          {data.totals.functions.map(({ name, type }, index) => (
            <div key={name} className="flex min-w-0 flex-col-reverse">
              <dt className="mono break-anything text-text-muted text-xs">{name}</dt>
              <dd className="numbers font-semibold text-2xl">{totalOf(data.totals, index, type)}</dd>
            </div>
          ))}
        </dl>
      );
    case 'table':
      return data.table.groups.length === 0 ? (
        <Nothing />
      ) : (
        <Cells
          heads={[...widget.groupBy, ...data.table.functions.map(({ name }) => name)]}
          numbersFrom={widget.groupBy.length}
          rows={data.table.groups.map(({ keys, values }) => [
            ...keys.map(
              (key) => [key, data.table.issueTitles.get(key)].filter(Boolean).join(' ') || '(none)',
            ),
            ...data.table.functions.map(({ type }, index) => formatValue(values[index] ?? null, type)),
          ])}
        />
      );
    case 'issues':
      return data.issues.length === 0 ? (
        <Nothing />
      ) : (
        <Cells
          heads={['issue', 'title', 'events']}
          numbersFrom={2}
          rows={data.issues.map(({ shortId, title, activity }) => [
            shortId,
            title,
            activity ? formatCount(activity.events) : '',
          ])}
        />
      );
    case 'list':
      return data.rows.length === 0 ? (
        <Nothing />
      ) : (
        <Cells
          heads={widget.fields.length > 0 ? widget.fields : ['timestamp']}
          numbersFrom={Number.POSITIVE_INFINITY}
          rows={data.rows.map(({ values }) => values)}
        />
      );
    case 'chart': {
      const [first] = data.chart.functions;
      if (!first || data.chart.series.length === 0) return <Nothing />;
      const lines = linesOf(
        { chart: data.chart, totals: data.totals, before: null },
        data.totals.issueTitles,
      );
      return (
        <div className="p-4">
          <SharedChart
            label={first.name}
            type={first.type}
            isBars={widget.display === 'bar' && first.type === 'integer'}
            series={lines}
            fromMs={data.chart.range.bucketsFromMs}
            bucketMs={data.chart.bucketMs}
            height={PLOT_HEIGHTS[widget.height] ?? PLOT_HEIGHTS[2]}
          />
          {widget.groupBy.length > 0 ? <ChartLegend lines={lines} /> : null}
        </div>
      );
    }
  }
}

/** Of a chart, in pixels, by the height of its widget. */
const PLOT_HEIGHTS: Readonly<Record<number, number>> & { 2: number } = { 1: 50, 2: 155, 3: 315, 4: 475 };

const totalOf = ({ groups }: GroupedRows, index: number, type: Parameters<typeof formatValue>[1]) => {
  const value = groups[0]?.values[index] ?? null;
  return <span title={formatValueExactly(value, type)}>{formatValue(value, type)}</span>;
};

const Nothing = ({ children = 'No data in this time.' }: { children?: string }) => (
  <p className="p-4 text-sm text-text-muted">{children}</p>
);

function Cells({
  heads,
  numbersFrom,
  rows,
}: {
  heads: readonly string[];
  /** Columns from here on are numbers. */
  numbersFrom: number;
  rows: readonly (readonly string[])[];
}) {
  const isNumber = (index: number) => index >= numbersFrom;
  return (
    <table className="w-full text-sm">
      <thead>
        <tr className="border-b text-left text-text-muted text-xs">
          {heads.map((head, index) => (
            <th
              key={head}
              scope="col"
              className={`px-4 py-2 font-medium ${isNumber(index) ? 'text-right' : ''}`}
            >
              <bdi>{visibleText(head)}</bdi>
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y">
        {rows.map((row, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name that is shown, and keep their places
          <tr key={place}>
            {row.map((cell, index) => (
              <td
                // biome-ignore lint/suspicious/noArrayIndexKey: cells keep their columns
                key={index}
                className={`min-w-24 max-w-96 px-4 py-2 align-top [overflow-wrap:break-word] ${isNumber(index) ? 'numbers text-right' : ''}`}
              >
                <bdi>{visibleText(cell) || '–'}</bdi>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
