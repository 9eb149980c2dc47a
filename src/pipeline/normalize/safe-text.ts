/**
 * Makes text that every store takes: PostgreSQL refuses NUL, and UTF-8 has no lone surrogates.
 * Both become U+FFFD.
 */
export const toSafeText = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed();

/** Trimmed, cut and storable; null when it is not text, or empty. */
export function trimmedText(value: unknown, charsMax: number): string | null {
  if (typeof value !== 'string') return null;
  return toSafeText(cutText(value.trim(), charsMax)) || null;
}

/** The first `charsMax` UTF-16 units, without the first half of a pair that the cut would split. */
export function cutText(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const last = text.charCodeAt(charsMax - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splitsPair ? charsMax - 1 : charsMax);
}
