import { visibleText } from '#lib/visible-text.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For text and for attributes in quotes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);

/**
 * For Slack's mrkdwn: what stands in angle brackets would be a link or a mention.
 * Source: https://docs.slack.dev/messaging/formatting-message-text#escaping
 */
export const escapeSlack = (text: string): string => text.replace(/[&<>]/g, (char) => ENTITIES[char] ?? char);

/**
 * For one line of Markdown as Discord reads it: nothing is emphasis, link, list, heading or emoji, and nobody is called by
 * their name. Source: https://spec.commonmark.org/0.31.2/#backslash-escapes
 */
export const escapeDiscord = (text: string): string => escapeLine(text, /[\\`*_[\]~|<]/g);

/** As `escapeDiscord`; Mattermost would show the backslash in front of an angle bracket, which is nothing to it. */
export const escapeMattermost = (text: string): string => escapeLine(text, /[\\`*_[\]~|]/g);

/** What begins a block does so only at the beginning of a line. */
const escapeLine = (text: string, marks: RegExp): string =>
  text
    .replace(marks, (char) => `\\${char}`)
    .replace(/^[#>+-]/, (char) => `\\${char}`)
    .replace(/^(\d+)([.)])/, '$1\\$2')
    // Names after an at sign, and emoji between colons.
    .replace(/(?<![\p{L}\p{N}])@(?=\p{L})/gu, `@${JOINER}`)
    .replace(/:(?=[\w\\+-]{1,64}:)/g, `:${JOINER}`);

/** WORD JOINER: has no width, breaks no line, and is no letter. */
const JOINER = '\u2060';

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
