import { expect, test } from 'vitest';
import { csvLines } from './csv-lines.ts';

test('quotes what needs it, and no cell begins a formula', async () => {
  async function* rows() {
    yield ['plain', 'a "b", c', 'two\nlines'];
    yield ['=HYPERLINK("https://evil.example")', '-1+1', '@x'];
  }
  const lines: string[] = [];
  for await (const line of csvLines(['one', 'two', 'three'], rows())) lines.push(line);
  expect(lines).toEqual([
    'one,two,three\r\n',
    'plain,"a ""b"", c","two\nlines"\r\n',
    `"'=HYPERLINK(""https://evil.example"")",'-1+1,'@x\r\n`,
  ]);
});
