import { cutText } from '../normalize/safe-text.ts';

const NAME_CHARS_MAX = 255;
const UNNAMED = 'Unnamed Attachment';

/** The name of a file without the folders before it and without control characters; never empty, `.` or `..`. */
export function fileNameOf(sent: string | null): string {
  const base = (sent ?? '').split(/[\\/]/).at(-1) ?? '';
  const name = base
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, '')
    .toWellFormed()
    .trim();
  return /^\.{0,2}$/.test(name) ? UNNAMED : shorten(name);
}

/** Keeps the extension: it says what the file is. */
function shorten(name: string): string {
  if (name.length <= NAME_CHARS_MAX) return name;
  const extension = /\.\w{1,16}$/.exec(name)?.[0] ?? '';
  return `${cutText(name, NAME_CHARS_MAX - extension.length)}${extension}`;
}
