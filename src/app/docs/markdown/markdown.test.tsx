import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { parseGuide } from '../guides/read-guide.ts';
import { Markdown } from './markdown.tsx';

const render = (text: string): string =>
  renderToStaticMarkup(<Markdown tokens={parseGuide('x', `# Title\n\n${text}`).tokens} />);

test('text, code and tables are shown as they stand', () => {
  expect(render('a < b & `c<d>` **e**')).toMatch(
    /a &lt; b &amp; <code[^>]*>c&lt;d&gt;<\/code> <strong[^>]*>e<\/strong>/,
  );
  expect(render('<script>alert(1)</script>')).toContain('&lt;script&gt;');
  const table = render('| A | B |\n| - | -: |\n| `x` | 1 |');
  expect(table).toMatch(/<th[^>]*>A<\/th>/);
  expect(table).toMatch(/<td[^>]*text-right[^>]*>1<\/td>/);
});

test('headings have anchors, links lead to pages or are left out', () => {
  expect(render('## Disk & retention')).toContain('id="disk--retention"');
  expect(render('[Alerts](alerts.md#delivery)')).toContain('href="/docs/alerts#delivery"');
  expect(render('[record](decisions/0066-memory.md)')).not.toContain('<a');
  expect(render('[x](javascript:alert)')).not.toContain('<a');
});

test('lists hold lists, and code blocks can be copied', () => {
  expect(render('1. one\n   - two\n2. three').match(/<li/g)).toHaveLength(3);
  expect(render('```sh\nnpm start\n```')).toContain('npm start');
});
