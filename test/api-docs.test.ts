import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { buildDocument } from '#app/api/0/openapi/build-document.ts';
import { printDocument } from '#app/api/0/openapi/print-document.ts';
import { listApiRoutes } from './harness/list-api-routes.ts';
import { printCoverage } from './product/api-reference/print-coverage.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const DOCS = path.join(ROOT, 'docs/api.md');
const DOCUMENT = path.join(ROOT, 'src/app/api/0/openapi/openapi.json');
const SECTION = /(<!-- coverage: [^>]*-->\n\n)[\s\S]*?(\n\n<!-- end of coverage -->)/;

const routes = await listApiRoutes();

describe('the OpenAPI document', () => {
  test('every operation declares itself', () => {
    const silent = routes.flatMap(({ path: name, handlers }) =>
      Object.entries(handlers)
        .filter(([, handler]) => !handler.operation)
        .map(([method]) => `${method} ${name}`),
    );
    expect(silent).toEqual([]);
  });

  // When it differs: npx vitest run --project unit test/api-docs.test.ts -u
  test('is what the endpoints declare', async () => {
    const documented = routes.map(({ path: name, handlers }) => ({
      path: name,
      operations: Object.fromEntries(
        Object.entries(handlers).map(([method, handler]) => [method, handler.operation!]),
      ),
    }));
    await expect(printDocument(buildDocument(documented))).toMatchFileSnapshot(DOCUMENT);
  });
});

test('docs/api.md tells what is covered of the reference', async () => {
  const docs = readFileSync(DOCS, 'utf8');
  expect(docs).toMatch(SECTION);
  const coverage = printCoverage();
  await expect(
    docs.replace(SECTION, (_, begin: string, end: string) => begin + coverage + end),
  ).toMatchFileSnapshot(DOCS);
});
