import type { TextMatch } from '#storage/ports/search.ts';

export const likePattern = (match: TextMatch): string =>
  match.kind === 'exact' ? escapeLike(match.text) : match.parts.map(escapeLike).join('%');

/** Of LIKE's own characters, none may mean more than itself. */
export const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');
