/** What stands at the caret: the beginning of a key, or of a value of a key. `start` and `end` are what it replaces. */
export type WordAt =
  | { kind: 'key'; text: string; isNegated: boolean; start: number; end: number }
  | { kind: 'value'; key: string; text: string; start: number; end: number };

/** null where nothing can be completed, as in a phrase. */
export function wordAt(query: string, caret: number): WordAt | null {
  const start = beginningOf(query, caret);
  if (start === null) return null;
  const end = caret + (/^[^\s"()[\],]*/.exec(query.slice(caret))?.[0].length ?? 0);
  const word = query.slice(start, caret);
  const isNegated = word.startsWith('!');
  const bare = isNegated ? word.slice(1) : word;
  const match = /^([A-Za-z_][\w.-]*|tags\[[\w.:-]+\]):(.*)$/s.exec(bare);
  const [, key = '', value = ''] = match ?? [];
  if (!match) {
    return /^[\w.-]*$/.test(bare)
      ? { kind: 'key', text: bare, isNegated, start: start + word.length - bare.length, end }
      : null;
  }
  // Of a list, the last value; of a comparison, what is compared with.
  const text = /[^[,"<>=!\s]*$/.exec(value)?.[0] ?? '';
  return { kind: 'value', key, text, start: caret - text.length, end };
}

/** Where the term around the caret begins; null within a phrase that has no key. */
function beginningOf(query: string, caret: number): number | null {
  let start = 0;
  let isQuoted = false;
  let isList = false;
  for (let at = 0; at < caret; at++) {
    const character = query.charAt(at);
    if (character === '"' && query.charAt(at - 1) !== '\\') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '[' && query.charAt(at - 1) === ':') isList = true;
    else if (character === ']') isList = false;
    else if (!isList && /[\s()]/.test(character)) start = at + 1;
  }
  return isQuoted && query.charAt(start) === '"' ? null : start;
}
