import { z } from 'zod';
import { fromSentryWidget } from '#domain/dashboards/sentry-widget.ts';
import { parseBoundedJson } from '#lib/bounded-json.ts';
import { invalid } from '#lib/errors.ts';

const NAMES = z.array(z.string().max(200)).max(20).nullish();

/** A widget in Sentry's form; fields that mean nothing here are left out. */
export const SENTRY_WIDGET = z.object({
  id: z.string().optional(),
  title: z.string().max(500),
  displayType: z.string().max(50),
  widgetType: z.string().max(50).nullish(),
  description: z.string().max(4_000).nullish(),
  limit: z.number().int().nullish(),
  queries: z
    .array(
      z.object({
        name: z.string().max(200).optional(),
        fields: NAMES,
        aggregates: NAMES,
        columns: NAMES,
        conditions: z.string().max(4_096).optional(),
        orderby: z.string().max(210).nullish(),
      }),
    )
    .max(20),
  layout: z
    .object({
      x: z.number().int(),
      y: z.number().int(),
      w: z.number().int(),
      h: z.number().int(),
      minH: z.number().int().optional(),
    })
    .nullish(),
});

const SENTRY_DASHBOARD = z.object({
  title: z.string().max(500),
  widgets: z.array(SENTRY_WIDGET).max(200),
});

/**
 * What a file says of a dashboard, in our own form or in the one of Sentry's API, for `createDashboard`, which checks it.
 * Throws Invalid for what is neither, and for widgets that have no counterpart here.
 */
export function readDashboardFile(text: string): { title: string } & Record<string, unknown> {
  const file = parse(text);
  const own = OWN_FILE.safeParse(file);
  if (own.success) return own.data;
  const sentry = SENTRY_DASHBOARD.safeParse(file);
  if (!sentry.success) {
    throw invalid('This is not an export of a dashboard: it needs a title and a list of widgets', 'json');
  }
  return { title: sentry.data.title.slice(0, 100), widgets: fromSentryWidgets(sentry.data.widgets) };
}

/** Our own: told apart by how a widget says how it is shown. */
const OWN_FILE = z.looseObject({
  title: z.string(),
  widgets: z.array(z.looseObject({ display: z.string() })),
});

/** In the order of their places. Throws Invalid, naming the widgets that have no counterpart. */
export function fromSentryWidgets(widgets: readonly z.output<typeof SENTRY_WIDGET>[]) {
  const placed = widgets.toSorted(
    (a, b) => (a.layout?.y ?? 0) - (b.layout?.y ?? 0) || (a.layout?.x ?? 0) - (b.layout?.x ?? 0),
  );
  const read = placed.map((widget, index) => ({ widget, made: fromSentryWidget(widget, `w${index + 1}`) }));
  const problems = read.flatMap(({ widget, made }) =>
    'problem' in made ? [`"${widget.title.slice(0, 80)}": ${made.problem}`] : [],
  );
  if (problems.length > 0) throw invalid(`Some widgets have no counterpart: ${problems.join('; ')}`, 'json');
  return read.map(({ made }) => made);
}

function parse(text: string): unknown {
  try {
    return parseBoundedJson(text);
  } catch {
    throw invalid('This is not JSON: paste the whole file', 'json');
  }
}
