import { expect, test, vi } from 'vitest';
import { loadDocument } from './installed-route-loader.ts';

const SHOWN = 'https://errata.test/main?q=1#event';

test.each([
  ['the shown page', SHOWN, 'push', 'reload'],
  ['another place of the shown page', 'https://errata.test/main?q=1', 'push', 'reload'],
  ['another query', 'https://errata.test/main?q=2#event', 'push', 'assign'],
  ['another page', '/other', 'push', 'assign'],
  ['another page instead of this one', '/other', 'replace', 'replace'],
] as const)('%s is loaded by the browser', (_, href, type, expected) => {
  const location = { href: SHOWN, assign: vi.fn(), replace: vi.fn(), reload: vi.fn() };
  loadDocument(href, type, { location });
  const called = (['assign', 'replace', 'reload'] as const).filter(
    (name) => location[name].mock.calls.length,
  );
  expect(called).toEqual([expected]);
});
