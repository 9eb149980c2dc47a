import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { TextMatch } from '#storage/ports/search.ts';

/** Whether the text is one of the matches. Patterns ignore case, exact texts do not. */
export function matchesText(text: RawBuilder<string>, matches: readonly TextMatch[]): RawBuilder<SqlBool> {
  const exact = matches.filter((match) => match.kind === 'exact').map((match) => storable(match.text));
  const patterns = matches.filter((match) => match.kind === 'pattern').map(likePattern);
  const alternatives: RawBuilder<SqlBool>[] = [];
  if (exact.length > 0) alternatives.push(sql<SqlBool>`${text} = ANY(${exact}::text[])`);
  if (patterns.length > 0) alternatives.push(sql<SqlBool>`${text} ILIKE ANY(${patterns}::text[])`);
  if (alternatives.length === 0) return sql<SqlBool>`FALSE`;
  return sql<SqlBool>`(${sql.join(alternatives, sql` OR `)})`;
}

export const likePattern = (match: TextMatch): string =>
  match.kind === 'exact' ? escapeLike(match.text) : match.parts.map(escapeLike).join('%');

/** Of LIKE's own characters, none may mean more than itself. */
const escapeLike = (text: string): string => storable(text).replaceAll(/[\\%_]/g, '\\$&');

/** PostgreSQL's texts hold no NUL. */
const storable = (text: string): string => text.replaceAll('\0', '');
