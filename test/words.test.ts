import { expect, it } from 'vitest';
import { BANNED_WORDS } from './words/banned-words.ts';
import { listWords, wordsOf } from './words/list-words.ts';

/** Not prose: what people type to find a command, and SQL with words of Sentry's protocol. */
const NOT_PROSE = ['src/app/shell/palette/palette-items.ts', 'src/storage/clickhouse/span-failures.ts'];

it('finds text, attributes, messages and templates, and leaves out what nobody reads', () => {
  const source = `
    import path from 'node:path';
    const NAMES = { open: 'Open issues' };
    throw new UserError(\`No project is called "\${name}"\`);
    await sql\`select name from projects where id = 1\`;
    const rows = await query('select name from projects where id = 1');
    if (kind === 'two words') render(<p className="flex gap-2" title="Copy link">Seen {count} times</p>);
  `;
  expect(wordsOf('page.tsx', source).map(({ line, text }) => `${line}: ${text}`)).toEqual([
    '3: Open issues',
    '4: No project is called "{…}"',
    '7: Seen {…} times',
    '7: Copy link',
  ]);
});

const WHOLE_SOURCE_MS = 60_000;

it('no string that people read has a banned word', { timeout: WHOLE_SOURCE_MS }, () => {
  const words = listWords().filter(({ file }) => !NOT_PROSE.includes(file));
  expect(words.length).toBeGreaterThan(1_500);
  const found = words.flatMap(({ file, line, text }) =>
    BANNED_WORDS.filter(({ word }) => word.test(text)).map(
      ({ instead }) => `${file}:${line}: “${text}”: write ${instead}`,
    ),
  );
  expect(found).toEqual([]);
});
