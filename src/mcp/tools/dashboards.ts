import { z } from 'zod';
import type { Widget } from '#domain/dashboards/dashboard.ts';
import { queriesOf } from '#domain/dashboards/widget-queries.ts';
import { isErrataError, notFound } from '#lib/errors.ts';
import { limitConcurrency } from '#lib/limit-concurrency.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import type { Context } from '#product/context.ts';
import { getDashboard, listDashboards } from '#product/dashboards/dashboards.ts';
import {
  type QueryChart,
  readWidget,
  type WidgetData,
  type WidgetPlace,
} from '#product/dashboards/read-widget.ts';
import type { GroupedRows } from '#product/explore/rows/explored-rows.ts';
import { environmentInput, limitInput, periodInput, projectInput, rangeOf } from '../inputs.ts';
import { DATA_SENTENCE, fencedFacts, fencedRows, moment, paragraphs } from '../text/answer.ts';
import { functionTitle, numberText } from '../text/number-text.ts';
import { defineTool } from '../tool.ts';

/** Widgets of one answer whose values are read; the others are named, and read one by one. */
const WIDGETS_READ_MAX = 15;
/** Of their values; one widget may go beyond it. */
const VALUES_CHARACTERS_MAX = 20_000;
const WIDGETS_AT_ONCE = 3;
/** Rows of each of several widgets. */
const ROWS_OF_EACH_MAX = 5;
const ROWS_OF_ONE_MAX = 50;

export const findDashboards = defineTool({
  name: 'find_dashboards',
  title: 'Find dashboards',
  description: 'Dashboards of the organization with their widgets. get_dashboard reads the values of one.',
  right: 'event:read',
  input: z.strictObject({
    text: z.string().max(100).default('').describe('Part of the title. Defaults to all dashboards.'),
    limit: limitInput,
  }),
  async run(ctx, { text, limit }) {
    const wanted = text.trim().toLowerCase();
    const found = (await listDashboards(ctx)).filter(({ title }) => title.toLowerCase().includes(wanted));
    if (found.length === 0) return 'No matching dashboards.';
    return paragraphs(
      DATA_SENTENCE,
      'Each row: number | title | widgets | description',
      fencedRows(
        found
          .slice(0, limit)
          .map(({ id, title, widgets, description }) =>
            [id, title, widgets.map((widget) => widget.title).join(', ') || 'no widgets', description].join(
              ' | ',
            ),
          ),
      ),
      found.length > limit &&
        `${found.length - limit} more: search for a part of the title, or raise the limit.`,
    );
  },
});

export const getDashboardTool = defineTool({
  name: 'get_dashboard',
  title: 'Read a dashboard',
  description:
    'A dashboard with the values of its widgets in the period: the first rows of each, or with widget all rows of one. Ask what is behind a number with search_telemetry or search_events.',
  right: 'event:read',
  input: z.strictObject({
    dashboard: z.number().int().positive().describe('Number of the dashboard, as find_dashboards lists it.'),
    widget: z.string().max(32).optional().describe('ID of one widget. Defaults to all widgets.'),
    project: projectInput,
    environment: environmentInput,
    period: periodInput.optional().describe('Defaults to what the dashboard was saved with, else 14d.'),
  }),
  async run(ctx, input) {
    const { id, title, description, widgets, filters } = await getDashboard(ctx, input.dashboard);
    const chosen = widgets.filter((widget) => input.widget === undefined || widget.id === input.widget);
    if (input.widget !== undefined && chosen.length === 0) {
      throw notFound(
        `Dashboard ${id} has no widget "${input.widget}": it has the widgets that this tool lists`,
      );
    }
    const period = input.period ?? savedPeriod(filters.period) ?? PERIOD_DEFAULT;
    const place: WidgetPlace = {
      projectSlugs: input.project ? [input.project] : filters.projects,
      environments: input.environment ? [input.environment] : filters.environments,
      range: rangeOf(period, ctx.now()),
      terms: [],
    };
    const rowsMax = input.widget === undefined ? ROWS_OF_EACH_MAX : ROWS_OF_ONE_MAX;
    const read = limitConcurrency(
      (widget: Widget) => tellWidget(ctx, widget, place, rowsMax),
      WIDGETS_AT_ONCE,
    );
    const values = await Promise.all(chosen.slice(0, WIDGETS_READ_MAX).map(read));
    const told = withinBudget(values);
    const left = chosen.slice(told.length);
    return paragraphs(
      '# A dashboard',
      DATA_SENTENCE,
      `Page: ${ctx.publicUrl}/${ctx.organization.slug}/dashboards/${id}`,
      fencedFacts([
        ['title', title],
        ['description', description || null],
        ['projects', place.projectSlugs.join(', ') || 'all'],
        ['environments', place.environments.join(', ') || 'all'],
        ['period', period],
      ]),
      ...told,
      chosen.length === 0 && 'It has no widgets.',
      left.length > 0 &&
        paragraphs(
          '## Not read: ask for each with its ID as widget',
          fencedRows(left.map((widget) => `${widget.id} | ${widget.title}`)),
        ),
    );
  },
});

const PERIOD_DEFAULT = '14d';

function withinBudget(texts: readonly string[]): readonly string[] {
  let left = VALUES_CHARACTERS_MAX;
  const beyond = texts.findIndex((text, index) => {
    left -= text.length;
    return index > 0 && left < 0;
  });
  return beyond === -1 ? texts : texts.slice(0, beyond);
}

/** As the tools write periods; null for one that they do not have. */
const savedPeriod = (saved: string | null): string | null => {
  const period = periodInput.safeParse(saved);
  return period.success ? period.data : null;
};

/** One widget that cannot be answered does not hide the others. */
async function tellWidget(
  ctx: Context,
  widget: Widget,
  place: WidgetPlace,
  rowsMax: number,
): Promise<string> {
  const { id, title, display, dataset } = widget;
  const rows = display === 'issues' ? 'issues' : dataset;
  const asks = display === 'text' ? [] : queriesOf(widget);
  const tell = (values: string) =>
    paragraphs(
      `## Widget ${id}`,
      fencedFacts([
        ['title', title],
        ...asks.map(({ query, alias }, index): [string, string] => [
          asks.length > 1 ? `query ${index + 1}` : 'asks',
          [`${rows}${query === '' ? '' : ` that match ${query}`}`, alias && `shown as ${alias}`]
            .filter(Boolean)
            .join(', '),
        ]),
      ]),
      values,
    );
  try {
    const answer = await orUnavailable(readWidget(ctx, widget, place));
    return tell(answer.ok ? tellData(widget, answer.value, rowsMax) : answer.reason);
  } catch (error) {
    if (!isErrataError(error)) throw error;
    return tell(fencedFacts([['problem', error.message]]));
  }
}

function tellData(widget: Widget, data: WidgetData, rowsMax: number): string {
  switch (data.kind) {
    case 'text':
      return fencedRows([widget.text]);
    case 'number':
      return tellTotals(data.totals, data.before);
    case 'table':
      return tellGroups(data.table, widget.groupBy, rowsMax);
    case 'chart':
      return paragraphs(
        ...data.charts.flatMap((chart, index) => [
          data.charts.length > 1 && `Query ${index + 1}:`,
          tellLines(chart, rowsMax),
        ]),
      );
    case 'issues':
      return data.issues.length === 0
        ? 'No issues.'
        : fencedRows(
            data.issues
              .slice(0, rowsMax)
              .map(({ shortId, title, activity }) =>
                [shortId, title, activity ? `${activity.events} events` : 'not counted'].join(' | '),
              ),
          );
    case 'list':
      return data.rows.length === 0
        ? 'No rows.'
        : fencedRows(
            data.rows
              .slice(0, rowsMax)
              .map(({ occurredAtUs, projectSlug, shortId, values }) =>
                [moment(occurredAtUs / 1_000), projectSlug, ...(shortId ? [shortId] : []), ...values].join(
                  ' | ',
                ),
              ),
          );
  }
}

const tellTotals = (totals: GroupedRows, before: GroupedRows | null): string =>
  fencedFacts(
    totals.functions.map((each, index) => [
      functionTitle(each),
      `${totalOf(totals, index)}${before ? ` (in the period before: ${totalOf(before, index)})` : ''}`,
    ]),
  );

const totalOf = ({ groups, functions }: GroupedRows, index: number): string =>
  numberText(functions[index]!, groups[0]?.values[index] ?? null);

function tellGroups({ groups, functions }: GroupedRows, groupBy: readonly string[], rowsMax: number): string {
  if (groups.length === 0) return 'No rows.';
  const head = [...functions.map(functionTitle), ...groupBy].join(' | ');
  const rows = groups
    .slice(0, rowsMax)
    .map(({ keys, values }) =>
      [
        ...functions.map((each, index) => numberText(each, values[index] ?? null)),
        ...keys.map((key) => key || '(none)'),
      ].join(' | '),
    );
  return fencedRows([head, ...rows]);
}

/** The first function of each line: all that a chart shows. */
function tellLines({ chart, totals }: QueryChart, rowsMax: number): string {
  const [first] = chart.functions;
  if (!first || chart.series.length === 0) return 'No rows.';
  const lines = chart.series.slice(0, rowsMax).map(({ keys, values }) => {
    const points = (values[0] ?? []).map((value) => numberText(first, value));
    return `${keys.join(', ') || 'all'} | ${points.join(' ')}`;
  });
  return paragraphs(
    tellTotals(totals, null),
    `Over time, oldest first, one value for every ${Math.round(chart.bucketMs / 60_000)} minutes. Each row: group | values`,
    fencedRows(lines),
  );
}
