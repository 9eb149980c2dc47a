import { describe, expect, it } from 'vitest';
import { breadcrumbViews, filterBreadcrumbs, formatOffset } from './breadcrumb-view.ts';

const crumbs = breadcrumbViews({
  event_id: 'a'.repeat(32),
  type: 'error',
  level: 'error',
  platform: 'javascript',
  timestamp: 100,
  received: 100,
  breadcrumbs: {
    values: [
      { timestamp: 97.5, category: 'ui.click', message: 'button#buy' },
      { timestamp: 99, type: 'http', data: { url: '/api/cart', status_code: 500 } },
    ],
  },
});

describe('breadcrumbs', () => {
  it('come newest first', () => {
    expect(crumbs.map((crumb) => crumb.category)).toEqual(['http', 'ui.click']);
  });

  it('are found by words anywhere in them, and by category', () => {
    expect(filterBreadcrumbs(crumbs, 'CART 500', null)).toHaveLength(1);
    expect(filterBreadcrumbs(crumbs, '', 'ui.click')).toHaveLength(1);
    expect(filterBreadcrumbs(crumbs, 'cart', 'ui.click')).toHaveLength(0);
  });

  it('tell how long before the event they were', () => {
    expect(crumbs.map((crumb) => formatOffset(crumb.at, 100_000))).toEqual(['−1.0 s', '−2.5 s']);
    expect(formatOffset(100_000 - 250_000, 100_000)).toBe('−4 min 10 s');
    expect(formatOffset(99_980, 100_000)).toBe('−20 ms');
    expect(formatOffset(null, 100_000)).toBe('');
  });
});
