import { expect, test } from 'vitest';
import { csvLine } from './csv-line.ts';

test.each([
  [['plain', 'a "b", c', 'two\nlines'], 'plain,"a ""b"", c","two\nlines"\r\n'],
  [
    ['=HYPERLINK("https://evil.example")', '-1+1', '@x', '+1', '\tx'],
    `"'=HYPERLINK(""https://evil.example"")",'-1+1,'@x,'+1,'\tx\r\n`,
  ],
])('%j quotes what needs it, and no cell begins a formula', (cells, line) => {
  expect(csvLine(cells)).toBe(line);
});
