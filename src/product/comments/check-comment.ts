import { invalid } from '#lib/errors.ts';

export const COMMENT_CHARACTERS_MAX = 10_000;

/** The text, trimmed. Throws Invalid when it is empty or too long. */
export function checkComment(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') throw invalid('The comment is empty: write something', 'text');
  if (trimmed.length > COMMENT_CHARACTERS_MAX) {
    throw invalid(
      `The comment has ${trimmed.length} characters, and ${COMMENT_CHARACTERS_MAX} at most are kept: shorten it`,
      'text',
    );
  }
  return trimmed;
}
