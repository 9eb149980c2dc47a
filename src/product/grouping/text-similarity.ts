/** Words of a text: numbers and single letters tell nothing. */
export function wordsOf(text: string): ReadonlySet<string> {
  const words = text
    .slice(0, TEXT_CHARACTERS_MAX)
    .split(/[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u)
    .map((word) => word.toLowerCase())
    .filter((word) => word.length > 1 && !/^\d+$/.test(word));
  return new Set(words);
}

const TEXT_CHARACTERS_MAX = 1_000;

/** Share of what both have in what either has: from 0 to 1. */
export function similarityOf(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  if (left.size === 0 || right.size === 0) return 0;
  let common = 0;
  for (const entry of left) if (right.has(entry)) common += 1;
  return common / (left.size + right.size - common);
}
