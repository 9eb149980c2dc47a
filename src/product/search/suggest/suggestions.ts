/** What to put in place of `start` to `end`: a key, or a value of one. */
export type Suggestions = {
  kind: 'key' | 'value';
  start: number;
  end: number;
  items: readonly Suggestion[];
};
export type Suggestion = {
  /** Goes into the search as it is. */
  text: string;
  label: string;
  /** What it is; null when it speaks for itself. */
  hint: string | null;
  /** How many of the events in the range have this value; null when that is not known. */
  events: number | null;
};

/** What begins with the text, then what has it somewhere. */
export function bestFirst(items: readonly Suggestion[], text: string): readonly Suggestion[] {
  const wanted = text.toLowerCase();
  const place = (item: Suggestion) => item.label.toLowerCase().indexOf(wanted);
  return items.filter((item) => place(item) >= 0).sort((a, b) => Number(place(a) > 0) - Number(place(b) > 0));
}

/** A value as a search writes it: in quotes where it would mean something else. */
export const quoteValue = (value: string): string =>
  /^[^\s"()[\],\\*]+$/.test(value) ? value : `"${value.replace(/["\\*]/g, '\\$&')}"`;
