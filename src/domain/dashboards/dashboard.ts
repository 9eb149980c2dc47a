import { z } from 'zod';
import {
  GRID_COLUMNS,
  VARIABLES_MAX,
  WIDGET_DATASETS,
  WIDGET_DISPLAYS,
  WIDGET_HEIGHT_MAX,
  WIDGET_QUERIES_MAX,
  WIDGET_ROWS_MAX,
  WIDGETS_MAX,
} from './widget-choices.ts';

const NAME = z.string().min(1).max(200);
const NAMES = z.array(NAME).max(10);

const QUERY = z.string().max(4_096).default('');
/** What its lines are called in the legend; empty for the search itself. */
const ALIAS = z.string().trim().max(100).default('');
const WIDGET_QUERY = z.strictObject({ query: QUERY, alias: ALIAS });
export type WidgetQuery = z.output<typeof WIDGET_QUERY>;

/** A question, how its answer is shown, and how much room it takes. Widgets flow in their order, from left to right. */
export const WIDGET = z.strictObject({
  /** Within its dashboard. */
  id: z.string().regex(/^[a-z0-9]{1,32}$/),
  title: z.string().trim().min(1).max(100),
  display: z.enum(WIDGET_DISPLAYS),
  dataset: z.enum(WIDGET_DATASETS).default('errors'),
  query: QUERY,
  alias: ALIAS,
  /** Of a chart: further searches, each with lines of its own. */
  moreQueries: z
    .array(WIDGET_QUERY)
    .max(WIDGET_QUERIES_MAX - 1)
    .default([]),
  functions: NAMES.default([]),
  groupBy: NAMES.default([]),
  /** Columns of a list. */
  fields: NAMES.default([]),
  /** A column, with - in front for the largest first, or an order of issues; null for the usual order. */
  sort: z.string().max(210).nullable().default(null),
  /** Lines of a chart, rows of a table or list. */
  limit: z.int().min(1).max(WIDGET_ROWS_MAX).default(5),
  /** What a text says. */
  text: z.string().max(4_000).default(''),
  /** Columns of the grid. */
  width: z.int().min(1).max(GRID_COLUMNS).default(3),
  height: z.int().min(1).max(WIDGET_HEIGHT_MAX).default(2),
});
export type Widget = z.output<typeof WIDGET>;

const SLUGS = z.array(z.string().max(100)).max(100);

/** What is shown until the reader chooses something else; `last` as in addresses, such as `14d`. */
const FILTERS = z.strictObject({
  projects: SLUGS.default([]),
  environments: z.array(z.string().max(200)).max(100).default([]),
  period: z
    .string()
    .regex(/^[1-9]\d{0,3}[mhdw]$/)
    .nullable()
    .default(null),
});

/** What people decide of a dashboard; also what is exported and imported. */
export const DASHBOARD_CONTENT = z.strictObject({
  title: z.string().trim().min(1).max(100),
  description: z.string().trim().max(500).default(''),
  widgets: z.array(WIDGET).max(WIDGETS_MAX).default([]),
  variables: z.array(NAME).max(VARIABLES_MAX).default([]),
  filters: FILTERS.default({ projects: [], environments: [], period: null }),
});
export type DashboardContent = z.output<typeof DASHBOARD_CONTENT>;
export type DashboardFilters = DashboardContent['filters'];

export type Dashboard = DashboardContent & {
  id: number;
  /** Counts changes, from 1. */
  version: number;
  /** null when the person is gone. */
  createdBy: { id: string; name: string } | null;
  /** Of the user who asks. */
  isStarred: boolean;
  /** Milliseconds since the epoch. */
  createdAt: number;
  updatedAt: number;
};
