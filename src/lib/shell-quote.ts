/** A terminal acts on control characters before any shell sees the quotes, so a text that holds some is written in escapes. */
const CONTROL = /[\p{Cc}\u2028\u2029]/u;
const ESCAPED = /[\p{Cc}\u2028\u2029'\\]/gu;

/** A text as one word of a command line: pasting it runs nothing of it. */
export function shellQuote(sent: string): string {
  const text = sent.replaceAll('\0', '');
  if (!CONTROL.test(text.replaceAll(/[\n\t]/g, ''))) return `'${text.replaceAll("'", `'\\''`)}'`;
  return `$'${text.replaceAll(ESCAPED, escapeCharacter)}'`;
}

/** As shells read it between `$'` and `'`: https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html */
function escapeCharacter(character: string): string {
  const bytes = Buffer.from(character, 'utf8');
  return [...bytes].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
}
