/** What a sticky pattern matches exactly here; null when it does not. */
export function readPattern(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}
