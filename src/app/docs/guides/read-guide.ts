import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lexer, type Token, type Tokens } from 'marked';
import { getServices } from '#product/services.ts';
import { anchorOf } from './guide-links.ts';
import { GUIDES } from './guide-list.ts';

export type Heading = { depth: number; text: string; anchor: string };

export type Guide = {
  name: string;
  /** Of its first heading. */
  title: string;
  /** Without the first heading. */
  tokens: readonly Token[];
};

const titles = new Map<string, string>();

/** What a guide says. Source: `docs/`, which comes with the program. null when there is none of the name. */
export async function readGuide(name: string): Promise<Guide | null> {
  const text = await readText(name);
  return text === null ? null : parseGuide(name, text);
}

export function parseGuide(name: string, text: string): Guide {
  const [first, ...tokens] = lexer(text);
  return { name, title: first?.type === 'heading' ? plainText(first) : name, tokens };
}

/** By name. Read once: the files change with the program alone. */
export async function readTitles(): Promise<ReadonlyMap<string, string>> {
  if (titles.size === 0) {
    const read = await Promise.all(
      GUIDES.map(
        async (name) => [name, /^# +(.+)$/m.exec((await readText(name)) ?? '')?.[1] ?? name] as const,
      ),
    );
    for (const [name, title] of read) titles.set(name, title);
  }
  return titles;
}

export const headingsOf = ({ tokens }: Guide, depth: number): readonly Heading[] =>
  tokens
    .filter((token): token is Tokens.Heading => token.type === 'heading')
    .filter((token) => token.depth <= depth)
    .map((token) => ({ depth: token.depth, text: plainText(token), anchor: anchorOf(plainText(token)) }));

async function readText(name: string): Promise<string | null> {
  if (!GUIDES.includes(name)) return null;
  return await readFile(join(getServices().docsFolder, `${name}.md`), 'utf8');
}

/** What a reader sees of it, without marks. */
export function plainText(token: Token): string {
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows]
      .flatMap((row) => row.map((cell) => cell.tokens.map(plainText).join('')))
      .join(' ');
  }
  if (token.type === 'list') return (token as Tokens.List).items.map(plainText).join(' ');
  if ('tokens' in token && token.tokens) return token.tokens.map(plainText).join('');
  return 'text' in token ? String(token.text) : ' ';
}
