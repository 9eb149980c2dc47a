import { visibleText } from '#lib/visible-text.ts';

/** What programs sent, on one line of at most so many characters, all of it to be seen. */
export function plainLine(text: string, charactersMax: number): string {
  // Cut before as well: a megabyte need not be looked at for a line.
  const line = visibleText(
    text
      .slice(0, charactersMax * 2)
      .toWellFormed()
      .replace(/\s+/g, ' ')
      .trim(),
  );
  return shorten(line, charactersMax);
}

/** At most so many UTF-16 units, the last of them an ellipsis when something is missing; no character is cut in two. */
export function shorten(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const cut = text.slice(0, charactersMax - 1);
  // Half of a pair would be no character.
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** `2026-03-01 12:00 UTC` */
export const utcMinute = (atMs: number): string =>
  `${new Date(atMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
