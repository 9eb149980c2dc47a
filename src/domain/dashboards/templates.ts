import { DASHBOARD_CONTENT, type DashboardContent, type Widget } from './dashboard.ts';

/** Dashboards to begin with, by what a team runs. */
export const TEMPLATE_NAMES = ['web', 'backend', 'mobile', 'release'] as const;
export type TemplateName = (typeof TEMPLATE_NAMES)[number];

type Draft = Partial<Widget> & Pick<Widget, 'title' | 'display'>;

const errors = (widget: Omit<Draft, 'dataset'>): Draft => ({ ...widget, dataset: 'errors' });
const spans = (widget: Omit<Draft, 'dataset'>): Draft => ({ ...widget, dataset: 'spans' });

const NUMBER = { display: 'number', width: 2, height: 1 } as const;
const TOP_ISSUES = errors({
  title: 'Most frequent issues',
  display: 'table',
  groupBy: ['issue'],
  functions: ['count()', 'count_unique(user)', 'last_seen()'],
  limit: 10,
});

const DRAFTS: Readonly<
  Record<
    TemplateName,
    { title: string; description: string; widgets: readonly Draft[]; variables?: string[] }
  >
> = {
  web: {
    title: 'Web app',
    description: 'Errors of the browser, and how fast pages are.',
    variables: ['browser.name', 'release'],
    widgets: [
      errors({ ...NUMBER, title: 'Errors', functions: ['count()'] }),
      errors({ ...NUMBER, title: 'Users affected', functions: ['count_unique(user)'] }),
      spans({
        ...NUMBER,
        title: 'Page load, p75',
        query: 'span.op:pageload',
        functions: ['p75(span.duration)'],
      }),
      errors({
        title: 'Errors by browser',
        display: 'bar',
        groupBy: ['browser.name'],
        functions: ['count()'],
      }),
      spans({
        title: 'Page loads, p75',
        display: 'line',
        query: 'span.op:pageload is_transaction:true',
        functions: ['p75(span.duration)'],
      }),
      TOP_ISSUES,
      spans({
        title: 'Slowest pages',
        display: 'table',
        query: 'span.op:[pageload,navigation] is_transaction:true',
        groupBy: ['transaction'],
        functions: ['p75(span.duration)', 'count()'],
        limit: 10,
      }),
    ],
  },
  backend: {
    title: 'Backend',
    description: 'Requests, failures, and what takes the time.',
    variables: ['release', 'server_name'],
    widgets: [
      spans({ ...NUMBER, title: 'Requests per minute', query: 'is_transaction:true', functions: ['epm()'] }),
      spans({
        ...NUMBER,
        title: 'Failure rate',
        query: 'is_transaction:true',
        functions: ['failure_rate()'],
      }),
      spans({
        ...NUMBER,
        title: 'Duration, p95',
        query: 'is_transaction:true',
        functions: ['p95(span.duration)'],
      }),
      spans({
        title: 'Duration, p95, of the busiest endpoints',
        display: 'line',
        query: 'is_transaction:true',
        groupBy: ['transaction'],
        functions: ['p95(span.duration)', 'count()'],
        sort: '-count()',
      }),
      errors({ title: 'Errors by level', display: 'bar', groupBy: ['level'], functions: ['count()'] }),
      spans({
        title: 'Queries that take the most time',
        display: 'table',
        query: 'span.op:db*',
        groupBy: ['span.description'],
        functions: ['sum(span.duration)', 'p95(span.duration)', 'count()'],
        limit: 10,
      }),
      TOP_ISSUES,
      {
        title: 'Log lines by severity',
        display: 'bar',
        dataset: 'logs',
        groupBy: ['severity'],
        functions: ['count()'],
        width: 6,
      },
    ],
  },
  mobile: {
    title: 'Mobile app',
    description: 'Crashes by device and version, and how fast the app starts.',
    variables: ['os.name', 'release'],
    widgets: [
      errors({ ...NUMBER, title: 'Crashes', query: 'error.unhandled:true', functions: ['count()'] }),
      errors({
        ...NUMBER,
        title: 'Users with crashes',
        query: 'error.unhandled:true',
        functions: ['count_unique(user)'],
      }),
      spans({
        ...NUMBER,
        title: 'Cold start, p75',
        query: 'span.op:app.start.cold',
        functions: ['p75(span.duration)'],
      }),
      errors({ title: 'Errors by release', display: 'bar', groupBy: ['release'], functions: ['count()'] }),
      errors({ title: 'Errors by OS', display: 'bar', groupBy: ['os'], functions: ['count()'] }),
      errors({
        title: 'Devices',
        display: 'table',
        groupBy: ['device'],
        functions: ['count()', 'count_unique(user)'],
        limit: 10,
      }),
      TOP_ISSUES,
    ],
  },
  release: {
    title: 'Releases',
    description: 'What a release changed. Choose one at the top.',
    variables: ['release'],
    widgets: [
      errors({ ...NUMBER, title: 'Errors', functions: ['count()'] }),
      errors({ ...NUMBER, title: 'Users affected', functions: ['count_unique(user)'] }),
      spans({
        ...NUMBER,
        title: 'Duration, p95',
        query: 'is_transaction:true',
        functions: ['p95(span.duration)'],
      }),
      errors({ title: 'Errors by release', display: 'bar', groupBy: ['release'], functions: ['count()'] }),
      spans({
        title: 'Duration, p95, by release',
        display: 'line',
        query: 'is_transaction:true',
        groupBy: ['release'],
        functions: ['p95(span.duration)'],
      }),
      { ...TOP_ISSUES, width: 6 },
    ],
  },
};

/** A new dashboard of a template. */
export function fromTemplate(name: TemplateName): DashboardContent {
  const { widgets, ...draft } = DRAFTS[name];
  return DASHBOARD_CONTENT.parse({
    ...draft,
    widgets: widgets.map((widget, index) => ({ ...widget, id: `w${index + 1}` })),
  });
}
