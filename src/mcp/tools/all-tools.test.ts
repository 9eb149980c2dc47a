import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { OAUTH_SCOPES } from '#product/oauth/oauth-address.ts';
import { TOOLS } from './all-tools.ts';

const DOCS = readFileSync(path.join(import.meta.dirname, '../../../docs/mcp.md'), 'utf8');

test('docs/mcp.md lists every tool with what it needs', () => {
  const rows = [...DOCS.matchAll(/^\| `(\w+)` .*\| +(?:`([\w:]+)`)? +\|$/gm)];
  expect(rows.map(([, name, right]) => [name, right ?? null])).toEqual(
    TOOLS.map(({ name, right }) => [name, right]),
  );
});

test('a connected program can be allowed what every tool needs', () => {
  for (const { right } of TOOLS) if (right !== null) expect(OAUTH_SCOPES).toContain(right);
});
