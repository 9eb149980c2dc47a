/** What the search is asked to complete, and what of the value stays before it. */
export type Completion = { text: string; caret: number; kept: string };

/**
 * A single value, after `prefix`, as a query of the search would have it: `has:` for names of tags, `plan:` for values of
 * the tag plan. Of several values with commas between them (`isList`) the last one.
 */
export function completionOf(prefix: string, value: string, isList: boolean): Completion {
  const kept = isList ? value.slice(0, value.lastIndexOf(',') + 1) : '';
  const typed = value.slice(kept.length).trim();
  // With spaces in it, it would be several words.
  const text = prefix + (/\s/.test(typed) ? `"${typed}` : typed);
  return { text, caret: text.length, kept: kept === '' ? '' : `${kept} ` };
}
