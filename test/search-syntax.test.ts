import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseSearch } from '#product/search/syntax/parse-search.ts';
import { EVENT_KEYS } from '#product/search/syntax/search-keys.ts';
import { toSentryShape } from './harness/sentry-search-shape.ts';

const SHARE_MIN = 0.98;
/** A folder `search-syntax` with files of `[{ query, result }]`, Sentry's own test data. */
const CORPUS = process.env.ERRATA_CORPUS;

test('searches read as Sentry reads them', ({ skip }) => {
  const folder = join(CORPUS ?? '', 'search-syntax');
  if (!CORPUS || !existsSync(folder)) return skip('ERRATA_CORPUS names no folder with searches');
  const different: string[] = [];
  let cases = 0;
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    const entries = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Entry[];
    for (const { query, result } of entries) {
      cases += 1;
      const own = compared(shapeOf(query));
      const theirs = compared(result);
      if (JSON.stringify(own) !== JSON.stringify(theirs)) {
        different.push(`${file} ${query}\n  ${JSON.stringify(own)}\n  ${JSON.stringify(theirs)}`);
      }
    }
  }
  const share = 1 - different.length / cases;
  console.log(
    `${cases - different.length} of ${cases} searches read the same (${(share * 100).toFixed(1)} %)`,
  );
  expect(share, different.join('\n')).toBeGreaterThanOrEqual(SHARE_MIN);
});

type Entry = { query: string; result: unknown };

function shapeOf(query: string): unknown {
  try {
    return toSentryShape(query, parseSearch(query, EVENT_KEYS));
  } catch {
    return null;
  }
}

const COMPARED = ['type', 'filter', 'negated', 'operator', 'value', 'quoted'];
const NESTED = ['key', 'name', 'args', 'inner', 'items'];

/** Only what every version of the data has, in one order. */
function compared(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(compared);
  if (typeof node !== 'object' || node === null) return node;
  const parts = node as Record<string, unknown>;
  return Object.fromEntries(
    [...COMPARED, ...NESTED].filter((name) => name in parts).map((name) => [name, compared(parts[name])]),
  );
}
