import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { printCoverage } from './product/api-reference/print-coverage.ts';

const DOCS = path.resolve(import.meta.dirname, '../docs/api.md');
const SECTION = /(<!-- coverage: [^>]*-->\n\n)[\s\S]*?(\n\n<!-- end of coverage -->)/;

// When it differs: npx vitest run --project unit test/api-docs.test.ts -u
test('docs/api.md tells what is covered of the reference', async () => {
  const docs = readFileSync(DOCS, 'utf8');
  expect(docs).toMatch(SECTION);
  const coverage = printCoverage();
  await expect(
    docs.replace(SECTION, (_, begin: string, end: string) => begin + coverage + end),
  ).toMatchFileSnapshot(DOCS);
});
