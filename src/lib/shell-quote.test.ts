import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { shellQuote } from './shell-quote.ts';

it.each(['web@1.0.0', "it's", '$(id)', '`id`', '"; id; "', 'a\nb', '\u001b[2J', ''])(
  'a shell reads %j as the word that it is',
  (text) => {
    const read = execFileSync('bash', ['-c', `printf %s ${shellQuote(text)}`], { encoding: 'utf8' });
    expect(read).toBe(text);
  },
);
