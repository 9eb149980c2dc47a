/** A filter as it is shown: `!level:error` is level, not, error. */
export type Filter = {
  isNegated: boolean;
  key: string;
  /** As it is written: `>=`; empty for none. */
  operator: string;
  /** As it is written, quotes included. */
  value: string;
};

const KEY = String.raw`(?:tags|flags)\[(?:"[\w.:-]+"|[\w.:-]+)(?:,(?:string|number|boolean))?\]|"[\w.:-]+"|[\w.-]+`;
const QUOTED = String.raw`"(?:\\"|[^"])*"`;
const ITEM = String.raw`(?:${QUOTED}|[^\s,()"\[\]]+)`;
/** What looks pasted (`https://…`, `Foo::bar`) is text, and a number ends at a comma. */
const BARE = String.raw`(?![:\[\\]|//|[<>=!]*-?\d+(?:\.\d*)?[kmbKMB]?[,\]])(?:\\"|[^\s"()])+`;
const COMPARED = `(?<compared>[<>]=?|!?=)(?<bound>${BARE})`;
const WRITTEN = String.raw`(?<word>(?:\uF00D(?:Contains|StartsWith|EndsWith)\uF00D)?)(?<value>${QUOTED}|\[${ITEM}(?: *, *${ITEM})*\]|${BARE})`;
const FILTER = new RegExp(`^(?<not>!?)(?<key>${KEY}):(?:${COMPARED}|${WRITTEN})$`);

/** The filter that a word of a search is; null when it is text. The parser of the search decides what it means. */
export function readFilterWord(word: string): Filter | null {
  const found = FILTER.exec(word)?.groups;
  if (!found) return null;
  return {
    isNegated: found.not === '!',
    key: found.key ?? '',
    operator: found.compared ?? found.word ?? '',
    value: found.bound ?? found.value ?? '',
  };
}

/** Texts at even places and filters at odd ones, with where each begins. */
export type SplitSearch = { parts: readonly string[]; starts: readonly number[] };

/**
 * Takes the filters out of a search; groups, operators and phrases stay in the text around them. The search is only ever
 * cut at a space outside of quotes, lists and parentheses, so the parts with spaces between them are the same search.
 */
export function splitSearch(search: string): SplitSearch {
  const parts: string[] = [];
  const starts: number[] = [];
  let end = 0;
  for (const { start, text } of wordsOf(search)) {
    if (!readFilterWord(text)) continue;
    parts.push(search.slice(end, Math.max(end, start - 1)), text);
    starts.push(end, start);
    end = Math.min(search.length, start + text.length + 1);
  }
  return { parts: [...parts, search.slice(end)], starts: [...starts, end] };
}

function* wordsOf(search: string): Generator<{ start: number; text: string }> {
  let start = 0;
  let isQuoted = false;
  let isList = false;
  let depth = 0;
  for (let at = 0; at <= search.length; at++) {
    const character = search.charAt(at);
    if (/^[\r\n ]?$/.test(character) && (character === '' || !(isQuoted || isList || depth > 0))) {
      if (at > start) yield { start, text: search.slice(start, at) };
      start = at + 1;
    } else if (character === '"' && search[at - 1] !== '\\') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '[' && search[at - 1] === ':') isList = true;
    else if (character === ']') isList = false;
    else if (character === '(') depth++;
    else if (character === ')') depth = Math.max(0, depth - 1);
  }
}
