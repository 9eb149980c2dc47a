import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { SETTINGS } from '#config/settings.ts';

const operate = readFileSync(path.resolve(import.meta.dirname, '../docs/operate.md'), 'utf8');

test('docs/operate.md lists every setting that the server knows, in its order and in its words', () => {
  const rows = [...operate.matchAll(/^\| `([A-Z0-9_]+)` +\| (.*?) +\| (.*?) +\|$/gm)].map(
    ([, name, standard, meaning]) => ({
      name,
      default: standard,
      meaning,
    }),
  );
  expect(rows).toEqual(
    SETTINGS.map((setting) => ({ ...setting, default: describeDefault(setting.default) })),
  );
});

function describeDefault(text: string): string {
  if (text === '') return '–';
  return text.includes(' ') ? text : `\`${text}\``;
}
