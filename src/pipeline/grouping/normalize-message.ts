import { parameterize } from './parameterize.ts';

const LINES_MAX = 2;
/** Everything that Unicode and ASCII have to end a line. */
const LINE_BREAK = new RegExp(
  ['\r\n', '\n', '\r', '\v', '\f', '\u001c', '\u001d', '\u001e', '\u0085', '\u2028', '\u2029'].join('|'),
);

/** A message as it is grouped by: its first two lines that are not blank, with what varies replaced. */
export function normalizeMessage(message: string): string {
  const lines = message.split(LINE_BREAK).filter((line) => line.trim() !== '');
  const kept = lines.slice(0, LINES_MAX).join('\n');
  return parameterize(kept === message ? kept : `${kept}...`);
}
