import { describe, expect, it } from 'vitest';
import {
  type BreadcrumbFilter,
  breadcrumbLine,
  filterBreadcrumbs,
  formatOffset,
} from './breadcrumb-lines.ts';
import { breadcrumbViews } from './breadcrumb-view.ts';

const EVENT = {
  event_id: 'a'.repeat(32),
  type: 'error',
  level: 'error',
  platform: 'javascript',
  timestamp: 100,
  received: 100,
} as const;

const crumbs = breadcrumbViews({
  ...EVENT,
  breadcrumbs: {
    values: [
      { timestamp: 97.5, category: 'ui.click', message: 'button#buy' },
      { timestamp: 99, type: 'http', level: 'error', data: { url: '/api/cart', status_code: 500 } },
    ],
  },
});

describe('breadcrumbs', () => {
  it('come newest first', () => {
    expect(crumbs.map((crumb) => crumb.category)).toEqual(['http', 'ui.click']);
  });

  it('are found by words anywhere in them, by kind and by level', () => {
    const found = (filter: Partial<BreadcrumbFilter>) =>
      filterBreadcrumbs(crumbs, { text: '', kind: null, level: null, ...filter }).map(
        ({ category }) => category,
      );
    expect(found({ text: 'CART 500' })).toEqual(['http']);
    expect(found({ kind: 'ui' })).toEqual(['ui.click']);
    expect(found({ level: 'error' })).toEqual(['http']);
    expect(found({ text: 'cart', kind: 'ui' })).toEqual([]);
  });

  it('are copied as lines of plain text', () => {
    expect(crumbs.map((crumb) => breadcrumbLine(crumb, 100_000))).toEqual([
      '−1.0 s  http  /api/cart [500]',
      '−2.5 s  ui.click  button#buy',
    ]);
    const [warning] = breadcrumbViews({
      ...EVENT,
      breadcrumbs: { values: [{ category: 'console', level: 'warning', message: 'slow' }] },
    });
    expect(warning && breadcrumbLine(warning, 0)).toBe('console  warning  slow');
  });

  it('are shortened, and say so', () => {
    const [long, short, never] = breadcrumbViews({
      ...EVENT,
      breadcrumbs: {
        values: [{ timestamp: 1e300 }, { message: 'a' }, { message: 'b', data: { body: 'x'.repeat(5_000) } }],
      },
    });
    expect([long?.more?.isCut, short?.more]).toEqual([true, null]);
    expect(long?.more?.data[0]?.[1].length).toBeLessThan(300);
    expect(never?.at).toBeNull();
  });

  it('say how long before the event they were', () => {
    expect(crumbs.map((crumb) => formatOffset(crumb.at, 100_000))).toEqual(['−1.0 s', '−2.5 s']);
    expect(formatOffset(100_000 - 250_000, 100_000)).toBe('−4 min 10 s');
    expect(formatOffset(99_980, 100_000)).toBe('−20 ms');
    expect(formatOffset(null, 100_000)).toBe('');
  });
});
