import {
  editFilter,
  focusPart,
  isFilter,
  removeFilter,
  type SearchDraft,
  selectAll,
  typeText,
} from './search-draft.ts';

export type PressedKey = {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
};

/** What a key does to the draft; null when it has its usual meaning in the text. */
export function pressKey(draft: SearchDraft, pressed: PressedKey): SearchDraft | null {
  if (pressed.altKey) return null;
  if (pressed.ctrlKey || pressed.metaKey) {
    return pressed.key.toLowerCase() === 'a' && draft.parts.length > 1 ? selectAll(draft) : null;
  }
  return isFilter(draft.at) ? pressOnFilter(draft, pressed.key) : pressInText(draft, pressed);
}

function pressOnFilter(draft: SearchDraft, key: string): SearchDraft | null {
  const { parts, at } = draft;
  switch (key) {
    case 'ArrowLeft':
      return focusPart(draft, at - 1);
    case 'ArrowRight':
    case 'Escape':
      return focusPart(draft, at + 1, 'start');
    case 'Home':
      return focusPart(draft, 0, 'start');
    case 'End':
      return focusPart(draft, parts.length - 1);
    case 'Enter':
    case 'F2':
      return editFilter(draft, at);
    case 'Backspace':
    case 'Delete':
      return removeFilter(draft, at);
    default:
      return null;
  }
}

/** At an end of the text, keys go on to the filter beside it. */
function pressInText(draft: SearchDraft, { key, shiftKey }: PressedKey): SearchDraft | null {
  const { parts, at, selection } = draft;
  const text = parts[at] ?? '';
  if (shiftKey || selection.start !== selection.end) return null;
  if ((key === 'ArrowLeft' || key === 'Backspace') && selection.start === 0 && at > 0) {
    return focusPart(draft, at - 1);
  }
  if ((key === 'ArrowRight' || key === 'Delete') && selection.end === text.length) {
    const settled = typeText(draft, text, text.length, true);
    if (settled.parts.length > parts.length) return settled;
    if (at < parts.length - 1) return focusPart(draft, at + 1);
  }
  return null;
}
