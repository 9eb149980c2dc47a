import type { ReactNode } from 'react';
import type { Widget } from '#domain/dashboards/dashboard.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { WidgetData } from '#product/dashboards/read-widget.ts';
import { formatCount } from '#ui/format-number.ts';
import { formatValue } from '../../explore/rows/format-value.ts';
import { type RowsPlace, rowsHref } from '../../explore/rows/rows-state.ts';
import { RowGroups, RowSamples } from '../../explore/rows/rows-tables.tsx';
import { CountedIssues } from '../../issues/issue-summaries.tsx';
import { BigNumbers } from './big-numbers.tsx';
import { UnlinkedTable } from './unlinked-table.tsx';
import { WidgetChart } from './widget-chart.tsx';

type Shown = Pick<Widget, 'display' | 'dataset' | 'text' | 'groupBy' | 'fields' | 'height'>;

/** The answer of a widget; on a public page, where `places` is null, nothing of it leads anywhere. */
export function WidgetBody({
  widget,
  names,
  data,
  places,
  now,
}: {
  widget: Shown;
  /** What the lines of each query are called. */
  names: readonly string[];
  data: WidgetData;
  /** Where the rows of each query are. */
  places: readonly [RowsPlace, ...RowsPlace[]] | null;
  now: number;
}): ReactNode {
  const place = places?.[0] ?? null;
  switch (data.kind) {
    case 'text':
      return (
        <p className="max-w-[75ch] whitespace-pre-wrap p-4 text-sm [overflow-wrap:anywhere]">
          {visibleText(widget.text)}
        </p>
      );
    case 'number': {
      const href = place && rowsHref(place, { view: 'samples', sort: null });
      return <BigNumbers totals={data.totals} before={data.before} href={href} now={now} />;
    }
    case 'chart':
      return data.charts.every(({ chart }) => chart.series.length === 0) ? (
        <Nothing />
      ) : (
        <WidgetChart widget={widget} names={names} charts={data.charts} places={places} />
      );
    case 'table':
      if (data.table.groups.length === 0) return <Nothing />;
      return place ? (
        <RowGroups place={place} table={data.table} totals={data.totals} now={now} />
      ) : (
        <UnlinkedGroups widget={widget} table={data.table} />
      );
    case 'issues':
      if (data.issues.length === 0) return <Nothing />;
      return place ? (
        <CountedIssues
          organizationSlug={place.organizationSlug}
          issues={data.issues.map((issue) => ({
            issue,
            events: issue.activity?.events ?? null,
            lastSeen: issue.lastSeen,
          }))}
          counted="in the selected time range"
          now={now}
        />
      ) : (
        <UnlinkedTable
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
      if (data.rows.length === 0) return <Nothing />;
      return place ? (
        <RowSamples place={place} rows={data.rows} now={now} />
      ) : (
        <UnlinkedTable
          heads={widget.fields.length > 0 ? widget.fields : ['timestamp']}
          rows={data.rows.map(({ values }) => values)}
        />
      );
  }
}

function UnlinkedGroups({
  widget: { groupBy },
  table: { groups, functions, issueTitles },
}: {
  widget: Shown;
  table: (WidgetData & { kind: 'table' })['table'];
}) {
  return (
    <UnlinkedTable
      heads={[...groupBy, ...functions.map(({ name }) => name)]}
      numbersFrom={groupBy.length}
      rows={groups.map(({ keys, values }) => [
        ...keys.map((key) => [key, issueTitles.get(key)].filter(Boolean).join(' ') || '(none)'),
        ...functions.map(({ type }, index) => formatValue(values[index] ?? null, type)),
      ])}
    />
  );
}

const Nothing = () => <p className="p-4 text-sm text-text-muted">No data in this time.</p>;
