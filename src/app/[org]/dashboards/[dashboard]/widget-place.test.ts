import { expect, test } from 'vitest';
import { WIDGET } from '#domain/dashboards/dashboard.ts';
import { termsFor } from './widget-place.ts';

const widgetOf = (dataset: string) =>
  WIDGET.parse({ id: 'w1', title: 'Widget', display: 'number', dataset, functions: ['count()'] });

test.each([
  ['errors', 'user', 'id:7', ['user.id:7']],
  [
    'errors',
    'user',
    'ann@example.com',
    [
      '(user.id:ann@example.com OR user.email:ann@example.com OR user.username:ann@example.com OR user.ip:ann@example.com)',
    ],
  ],
  ['spans', 'user', 'id:7', ['user:7']],
  ['spans', 'user', '7', ['user:7']],
  ['errors', 'error.type', 'A, B', ['error.type:"A, B"']],
  ['errors', 'release', '', []],
])('%s narrowed by %s %j: %j', (dataset, field, value, terms) => {
  expect(termsFor(widgetOf(dataset), [{ field, value }])).toEqual(terms);
});
