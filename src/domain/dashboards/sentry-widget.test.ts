import { describe, expect, test } from 'vitest';
import { WIDGET } from './dashboard.ts';
import { fromSentryWidget, type SentryWidget, toSentryWidgets } from './sentry-widget.ts';

const sentry = (fields: Partial<SentryWidget> = {}): SentryWidget => ({
  title: 'Errors',
  displayType: 'line',
  widgetType: 'error-events',
  queries: [
    { conditions: 'level:error', aggregates: ['count()'], columns: ['release'], orderby: '-count()' },
  ],
  layout: { x: 0, y: 0, w: 2, h: 2, minH: 2 },
  ...fields,
});

describe('a widget of Sentry', () => {
  test('asks the same here', () => {
    expect(WIDGET.parse(fromSentryWidget(sentry(), 'w1'))).toMatchObject({
      display: 'line',
      dataset: 'errors',
      query: 'level:error',
      functions: ['count()'],
      groupBy: ['release'],
      sort: '-count()',
      width: 2,
      height: 2,
    });
  });

  test.each([
    ['area', 'line'],
    ['top_n', 'line'],
    ['stacked_area', 'bar'],
    ['big_number', 'number'],
    ['table', 'table'],
  ])('shown as %s is shown as %s', (displayType, display) => {
    expect(fromSentryWidget(sentry({ displayType }), 'w1')).toMatchObject({ display });
  });

  test('of transactions asks spans that are some, and a table without functions is a list', () => {
    expect(fromSentryWidget(sentry({ widgetType: 'transaction-like' }), 'w1')).toMatchObject({
      dataset: 'spans',
      query: 'is_transaction:true level:error',
    });
    const listed = sentry({ displayType: 'table', queries: [{ fields: ['title', 'timestamp'] }] });
    expect(fromSentryWidget(listed, 'w1')).toMatchObject({ display: 'list', fields: ['title', 'timestamp'] });
    const grouped = sentry({ displayType: 'table', queries: [{ fields: ['release', 'count()'] }] });
    expect(fromSentryWidget(grouped, 'w1')).toMatchObject({ groupBy: ['release'], functions: ['count()'] });
  });

  test.each([
    [{ displayType: 'details' }, 'display type'],
    [{ widgetType: 'issue' }, 'data set'],
    [{ widgetType: 'rpc' }, 'data set'],
    [{ queries: [] }, 'no query'],
    [{ displayType: 'table', queries: [{ conditions: '' }, { conditions: '' }] }, 'several queries'],
    [
      { queries: [{ aggregates: ['count()'] }, { aggregates: ['count_unique(user)'] }] },
      'different functions',
    ],
    [{ queries: Array.from({ length: 6 }, () => ({ conditions: '' })) }, '6 queries'],
  ])('with %j is refused with the reason', (fields, reason) => {
    expect(fromSentryWidget(sentry(fields), 'w1')).toMatchObject({
      problem: expect.stringContaining(reason),
    });
  });

  test('with several queries draws each, under its name, here and there', () => {
    const asked = { aggregates: ['count()'], columns: [], orderby: '' };
    const several = sentry({
      displayType: 'area',
      queries: [
        { ...asked, name: 'Mine', conditions: 'level:error' },
        { ...asked, name: '', conditions: 'level:warning' },
        { ...asked, fields: ['count()'] },
      ],
    });
    const widget = WIDGET.parse(fromSentryWidget(several, 'w1'));
    expect(widget).toMatchObject({
      query: 'level:error',
      alias: 'Mine',
      moreQueries: [
        { query: 'level:warning', alias: '' },
        { query: '', alias: '' },
      ],
    });
    expect(toSentryWidgets([widget])[0]?.queries).toMatchObject([
      { name: 'Mine', conditions: 'level:error', aggregates: ['count()'], columns: [] },
      { name: '', conditions: 'level:warning', aggregates: ['count()'] },
      { name: '', conditions: '' },
    ]);
    const transactions = fromSentryWidget({ ...several, widgetType: 'transaction-like' }, 'w1');
    expect(transactions).toMatchObject({
      query: 'is_transaction:true level:error',
      moreQueries: [{ query: 'is_transaction:true level:warning' }, { query: 'is_transaction:true' }],
    });
  });

  test('of issues has the issues that it finds, here and there', () => {
    const found = sentry({
      displayType: 'table',
      widgetType: 'issue',
      queries: [{ conditions: 'is:unresolved', orderby: 'date' }],
    });
    const widget = WIDGET.parse(fromSentryWidget(found, 'w1'));
    expect(widget).toMatchObject({ display: 'issues', query: 'is:unresolved', sort: 'date', limit: 10 });
    expect(toSentryWidgets([widget])).toMatchObject([
      {
        displayType: 'table',
        widgetType: 'issue',
        queries: [{ conditions: 'is:unresolved', orderby: 'date' }],
      },
    ]);
  });

  test('stands where it flows to', () => {
    const widgets = [2, 2, 3, 6].map((width, index) =>
      WIDGET.parse({ id: `w${index}`, title: 'Errors', display: 'number', width, height: 1 + (index % 2) }),
    );
    expect(toSentryWidgets(widgets).map(({ layout: { x, y } }) => [x, y])).toEqual([
      [0, 0],
      [2, 0],
      [0, 2],
      [0, 3],
    ]);
  });
});
