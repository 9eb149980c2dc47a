import { expect, test } from 'vitest';
import { readDashboardFile } from './import-dashboard.ts';

const widget = (title: string, changes: Record<string, unknown> = {}) => ({
  title,
  displayType: 'line',
  widgetType: 'error-events',
  queries: [
    { name: '', fields: ['count()'], aggregates: ['count()'], columns: [], conditions: '', orderby: '' },
  ],
  ...changes,
});
const file = (content: unknown) => readDashboardFile(JSON.stringify(content));

test('a file of our own is taken as it is', () => {
  const own = { title: 'Shop', widgets: [{ display: 'line', title: 'Errors' }], range: '14d' };
  expect(file(own)).toEqual(own);
});

test('widgets of Sentry stand in the order of their places, from the top and from the left', () => {
  const at = (x: number, y: number) => ({ layout: { x, y, w: 2, h: 2 } });
  const { title, widgets } = file({
    title: 'Shop '.repeat(40),
    widgets: [
      widget('bottom', at(0, 4)),
      widget('right', at(4, 0)),
      widget('unplaced'),
      widget('left', at(1, 0)),
    ],
  });
  expect(title).toHaveLength(100);
  expect(widgets).toMatchObject(
    ['unplaced', 'left', 'right', 'bottom'].map((name, index) => ({ id: `w${index + 1}`, title: name })),
  );
});

test('every widget without a counterpart is named', () => {
  const widgets = [
    widget('Errors'),
    widget('A', { displayType: 'spiral' }),
    widget('B', { displayType: 'orb' }),
  ];
  expect(() => file({ title: 'Shop', widgets })).toThrow(/"A": .*; "B": /);
  expect(() => file({ title: 'Shop', widgets })).not.toThrow(/"Errors"/);
});

test.each([
  ['no JSON', '{"title":', /not JSON/],
  ['another file', '{"name":"x"}', /not an export of a dashboard/],
  ['no widgets', '{"title":"x"}', /not an export of a dashboard/],
  ['widgets that are none', '{"title":"x","widgets":[1]}', /not an export of a dashboard/],
])('%s is refused with what is needed', (_what, text, words) => {
  expect(() => readDashboardFile(text)).toThrow(words);
});
