// docs/bounds.md: what is written by hand, and after it a table of every named bound.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Bound, listBounds } from './list-bounds.ts';
import { ROOT } from './read-source-tree.ts';

export const BOUNDS_FILE = path.join(ROOT, 'docs/bounds.md');
const BEGINS = '<!-- Generated from the constants of the source by `npm run bounds`. -->';

export const readBoundsFile = (): string => readFileSync(BOUNDS_FILE, 'utf8');

/** The document with its generated part as the source is now. */
export function renderBounds(document: string): string {
  const at = document.indexOf(BEGINS);
  if (at < 0) throw new Error(`docs/bounds.md has lost the line ${BEGINS}`);
  const areas = Map.groupBy(listBounds(), ({ file }) => file.split('/')[0]!);
  const sections = [...areas].map(([area, bounds]) => `## ${area}\n\n${table(bounds)}`);
  return `${document.slice(0, at)}${BEGINS}\n\n${sections.join('\n\n')}\n`;
}

function table(bounds: readonly Bound[]): string {
  const rows = bounds.map(
    ({ file, name, value, meaning }) =>
      `| \`${name}\` | ${value} | ${meaning.replaceAll('|', '\\|')} | \`src/${file}\` |`,
  );
  return ['| Constant | Bound | Meaning | File |', '| --- | --- | --- | --- |', ...rows].join('\n');
}
