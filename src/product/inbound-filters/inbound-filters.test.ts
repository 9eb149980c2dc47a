import { expect, test } from 'vitest';
import { BROWSER_FILTERS } from '#protocol/ingest-settings.ts';
import { BROWSER_CHOICES } from './filter-catalogue.ts';
import { checkFilterLines } from './inbound-filters.ts';

test('one entry a line: blank lines, spaces around and repeats go', () => {
  expect(checkFilterLines('releases', ' 1.* \r\n\n2.0\n1.*\r')).toEqual({
    entries: ['1.*', '2.0'],
    problems: [],
  });
  expect(checkFilterLines('releases', '  \n ')).toEqual({ entries: [], problems: [] });
});

test('a problem names its line as it stands in the text', () => {
  expect(checkFilterLines('ipAddresses', '10.0.0.1\n\n10.0.0.0/33\nfe80::/10\nhost').problems).toEqual([
    { line: 3, text: '10.0.0.0/33', problem: expect.stringContaining('not a valid IP address or range') },
    { line: 5, text: 'host', problem: expect.stringContaining('not a valid IP address or range') },
  ]);
  expect(checkFilterLines('errorMessages', 'fine\n[abc').problems).toEqual([
    { line: 2, text: '[abc', problem: expect.stringContaining('unclosed') },
  ]);
  expect(checkFilterLines('errorMessages', 'a\0b').problems).toHaveLength(1);
});

test('lists are bounded', () => {
  const text = Array.from({ length: 600 }, (_, index) => `1.${index}`).join('\n');
  const { entries, problems } = checkFilterLines('releases', text);
  expect([entries.length, problems]).toEqual([500, [expect.objectContaining({ line: 501 })]]);
});

test('every browser that can be stored can be chosen', () => {
  expect(BROWSER_CHOICES.map(({ id }) => id).sort()).toEqual([...BROWSER_FILTERS].sort());
});
