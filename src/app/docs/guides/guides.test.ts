import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { addressOf, screenOf } from './guide-links.ts';
import { GUIDES, NOT_SHOWN } from './guide-list.ts';
import { headingsOf, parseGuide } from './read-guide.ts';
import { searchSections, sectionsOf } from './search-guides.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../../../docs');
const guides = GUIDES.map((name) => parseGuide(name, readFileSync(path.join(FOLDER, `${name}.md`), 'utf8')));
const sections = guides.flatMap(sectionsOf);

test('every guide of the repository is shown once, or left out on purpose', () => {
  const files = readdirSync(FOLDER).flatMap((file) => (file.endsWith('.md') ? [file.slice(0, -3)] : []));
  expect([...GUIDES, ...NOT_SHOWN].toSorted()).toEqual(files.toSorted());
});

test('links lead to pages, and what is in the repository alone has none', () => {
  expect(addressOf('alerts.md#delivery')).toBe('/docs/alerts#delivery');
  expect(addressOf('#recipients')).toBe('#recipients');
  expect(addressOf('https://example.com/x')).toBe('https://example.com/x');
  for (const href of [
    '../SECURITY.md',
    'decisions/0066-memory.md',
    'testing.md',
    'javascript:alert(1)',
    '//x.example',
  ]) {
    expect(addressOf(href)).toBeNull();
  }
  expect(screenOf('screens/stream-light.png')).toBe('stream-light.png');
  expect(screenOf('screens/../../data/secret.png')).toBeNull();
});

test('a guide has its title, and headings with the anchors that links use', () => {
  const guide = parseGuide('x', '# One & `two`\n\nText.\n\n## Auth tokens, of *three* kinds\n\n### Deeper\n');
  expect(guide.title).toBe('One & two');
  expect(headingsOf(guide, 2)).toEqual([
    { depth: 2, text: 'Auth tokens, of three kinds', anchor: 'auth-tokens-of-three-kinds' },
  ]);
});

test('a search finds sections with every word, those about it first', () => {
  const [first, ...rest] = searchSections(sections, 'metric ALERTS');
  expect(first).toMatchObject({
    href: '/docs/alerts#metric-alerts',
    guide: 'Alerts',
    heading: 'Metric alerts',
  });
  expect(rest.length).toBeGreaterThan(0);
  expect(searchSections(sections, 'retention zebra')).toEqual([]);
  expect(searchSections(sections, '   ')).toEqual([]);
});

test('tables, lists and code are searched, and shown around the word', () => {
  const [found] = searchSections(sections, 'ERRATA_TRUSTED_PROXIES CIDR');
  expect(found).toMatchObject({ href: '/docs/operate#settings' });
  expect(found?.excerpt).toContain('ERRATA_TRUSTED_PROXIES');
  expect(found?.excerpt.length).toBeLessThan(200);
});
