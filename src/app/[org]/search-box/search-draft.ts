import { readFilterWord, splitSearch } from './split-search.ts';

/** Offsets in a text; the same twice for a caret. */
export type Selection = { start: number; end: number };

/** A search that is being written. */
export type SearchDraft = {
  /** Texts at even places, which may be empty, and filters at odd ones. */
  parts: readonly string[];
  /** The place of the part that has the focus, or gets it first. */
  at: number;
  /** In the text there. */
  selection: Selection;
};

/** A search with its filters taken out, and the caret at its end. */
export function openDraft(search: string): SearchDraft {
  // A field of one line has no lines.
  const parts = splitSearch(search).parts.map((part, at) =>
    isFilter(at) ? part : trim(part.replace(/[\r\n]/g, ' ')),
  );
  return goTo(parts, parts.length - 1, 'end');
}

/** Without the spaces around it; other blanks are part of the text. */
const trim = (text: string): string => text.replace(/^ +| +$/g, '');

/** The search that the parts are. */
export const searchOf = (parts: readonly string[]): string =>
  parts
    .map(trim)
    .filter((part) => part !== '')
    .join(' ');

export const isFilter = (at: number): boolean => at % 2 === 1;

function goTo(parts: readonly string[], at: number, edge: 'start' | 'end'): SearchDraft {
  const caret = edge === 'start' ? 0 : (parts[at] ?? '').length;
  return { parts, at, selection: { start: caret, end: caret } };
}

/** The focus goes to another part; filters that were written in the text that it leaves become parts. */
export function focusPart(draft: SearchDraft, at: number, edge: 'start' | 'end' = 'end'): SearchDraft {
  if (at === draft.at || isFilter(draft.at)) return goTo(draft.parts, at, edge);
  const { parts } = splitSearch(draft.parts[draft.at] ?? '');
  const shift = at > draft.at ? parts.length - 1 : 0;
  return goTo(draft.parts.toSpliced(draft.at, 1, ...parts), at + shift, edge);
}

/**
 * The text that has the focus was changed. Filters become parts once the caret has left them, those that were pasted at
 * once.
 */
export function typeText(draft: SearchDraft, text: string, caret: number, isPasted = false): SearchDraft {
  const { parts, starts } = splitSearch(text);
  const endOf = (at: number) => starts[at]! + parts[at]!.length;
  const isWriting = parts.some((_, at) => isFilter(at) && caret >= starts[at]! && caret <= endOf(at));
  if (parts.length === 1 || (isWriting && !isPasted)) {
    return { ...draft, parts: draft.parts.with(draft.at, text), selection: { start: caret, end: caret } };
  }
  const within = parts.findIndex((_, at) => !isFilter(at) && caret <= endOf(at));
  const offset = Math.max(0, caret - starts[within]!);
  return {
    parts: draft.parts.toSpliced(draft.at, 1, ...parts),
    at: draft.at + within,
    selection: { start: offset, end: offset },
  };
}

/** A filter becomes text again, with its value or its key selected. */
export function editFilter(
  draft: SearchDraft,
  filterAt: number,
  selected: 'key' | 'value' = 'value',
): SearchDraft {
  const { parts, at } = focusPart(draft, filterAt);
  const written = parts[at] ?? '';
  const filter = readFilterWord(written);
  const before = trim(parts[at - 1] ?? '');
  const offset = before === '' ? 0 : before.length + 1;
  const keyStart = offset + (filter?.isNegated ? 1 : 0);
  const end = offset + written.length;
  const selection =
    selected === 'key'
      ? { start: keyStart, end: keyStart + (filter?.key.length ?? 0) }
      : { start: end - (filter?.value.length ?? 0), end };
  const text = searchOf(parts.slice(at - 1, at + 2));
  return { parts: parts.toSpliced(at - 1, 3, text), at: at - 1, selection };
}

/** The texts around the filter become one, with the caret where it was. */
export function removeFilter(draft: SearchDraft, filterAt: number): SearchDraft {
  const { parts, at } = focusPart(draft, filterAt);
  const around = [parts[at - 1] ?? '', parts[at + 1] ?? ''];
  const caret = trim(around[0]!).length;
  return {
    parts: parts.toSpliced(at - 1, 3, searchOf(around)),
    at: at - 1,
    selection: { start: caret, end: caret },
  };
}

/** The whole search as one selected text, for copying and for what is easier to change as text. */
export function selectAll({ parts }: SearchDraft): SearchDraft {
  const search = searchOf(parts);
  return { parts: [search], at: 0, selection: { start: 0, end: search.length } };
}
