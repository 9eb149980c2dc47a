/** Where in the search box an error is, counted from 1; null when its message names no character. */
export function errorPosition(message: string): number | null {
  const match = /\bcharacter (\d+)/.exec(message);
  return match ? Number(match[1]) : null;
}
