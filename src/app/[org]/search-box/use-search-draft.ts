'use client';

import {
  type ChangeEvent,
  type KeyboardEvent,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { PART_ATTRIBUTE } from './filter-chip.tsx';
import { pressKey } from './press-key.ts';
import { focusPart, isFilter, openDraft, type SearchDraft, searchOf, typeText } from './search-draft.ts';

/** A search that is being written in a box, whose only text field is at the part that has the focus. */
export function useSearchDraft(query: string, inputRef: RefObject<HTMLInputElement | null>) {
  const [draft, setDraft] = useState(() => openDraft(query));
  const [announcement, setAnnouncement] = useState('');
  const box = useRef<HTMLDivElement>(null);
  const isMoving = useRef(false);

  useLayoutEffect(() => {
    if (!isMoving.current) return;
    isMoving.current = false;
    if (isFilter(draft.at)) {
      box.current?.querySelector<HTMLElement>(`[${PART_ATTRIBUTE}="${draft.at}"]`)?.focus();
      return;
    }
    inputRef.current?.focus();
    inputRef.current?.setSelectionRange(draft.selection.start, draft.selection.end);
  });

  /** Changes it, and takes the focus to where it is then. */
  function move(next: SearchDraft) {
    isMoving.current = true;
    setDraft(next);
  }

  return {
    draft,
    box,
    /** What was last done to a filter, for those who do not see it. */
    announcement,
    move,
    /** Starts over from a search, without the focus. */
    reset: (search: string) => setDraft(openDraft(search)),

    onType({ target, nativeEvent }: ChangeEvent<HTMLInputElement>) {
      const { isComposing, inputType } = nativeEvent as InputEvent;
      const caret = target.selectionStart ?? target.value.length;
      const next = isComposing
        ? { ...draft, parts: draft.parts.with(draft.at, target.value) }
        : typeText(draft, target.value, caret, inputType === 'insertFromPaste');
      if (next.parts.length === draft.parts.length) setDraft(next);
      else {
        setAnnouncement(`Added ${searchOf(next.parts.slice(draft.at, next.at))}`);
        move(next);
      }
    },

    onSelect({ selectionStart, selectionEnd }: HTMLInputElement) {
      // While the focus moves, the field is not yet where the selection is meant.
      if (isMoving.current) return;
      const selection = { start: selectionStart ?? 0, end: selectionEnd ?? 0 };
      const { start, end } = draft.selection;
      if (start !== selection.start || end !== selection.end) setDraft((now) => ({ ...now, selection }));
    },

    /** Whether the key did something in the text. */
    onTextKey(event: KeyboardEvent<HTMLInputElement>): boolean {
      const { selectionStart, selectionEnd } = event.currentTarget;
      const selection = { start: selectionStart ?? 0, end: selectionEnd ?? 0 };
      const next = pressKey({ ...draft, selection }, event);
      if (next) move(next);
      return next !== null;
    },

    onFilterKey(event: KeyboardEvent) {
      // Letters are for the search and not for the page.
      event.stopPropagation();
      const next = pressKey(draft, event);
      if (next) {
        event.preventDefault();
        if (event.key === 'Backspace' || event.key === 'Delete') {
          setAnnouncement(`Removed ${draft.parts[draft.at]}`);
        }
        move(next);
      } else if (event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey) {
        // The field has the focus before the browser writes the letter.
        inputRef.current?.focus();
        inputRef.current?.setSelectionRange(0, 0);
        setDraft(focusPart(draft, draft.at + 1, 'start'));
      }
    },
  };
}
