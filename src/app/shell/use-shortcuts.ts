'use client';

import { type RefObject, useEffect, useRef } from 'react';
import { SEQUENCE_MS_MAX, SHORTCUTS, type ShortcutId } from './shortcuts.ts';

type ShortcutHandlers = Partial<Record<ShortcutId, () => void>>;

/** What is on the page now; of several that answer the same key the newest does. */
const onPage: { current: ShortcutHandlers }[] = [];
let prefix: { key: string; atMs: number } | null = null;

/** Answers shortcuts of the table while the component is on the page, never while somebody types. */
export function useShortcuts(handlers: ShortcutHandlers): void {
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });
  useEffect(() => {
    if (onPage.length === 0) window.addEventListener('keydown', onKeyDown);
    onPage.push(latest);
    return () => {
      onPage.splice(onPage.indexOf(latest), 1);
      if (onPage.length === 0) window.removeEventListener('keydown', onKeyDown);
    };
  }, []);
}

/** For the field of a page's search: its shortcut goes to the end of it. */
export function useSearchField(): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  useShortcuts({ search: () => focusAtEnd(field.current) });
  return field;
}

/** Focuses a text field, so that typing goes on after what is in it. */
export function focusAtEnd(field: HTMLInputElement | null): void {
  field?.focus();
  field?.setSelectionRange(field.value.length, field.value.length);
}

/** Shortcuts that something on the page answers now, in the order of the table. */
export function listAnswered(): readonly ShortcutId[] {
  return SHORTCUTS.map((shortcut) => shortcut.id).filter((id) => handlerOf(id) !== undefined);
}

/** Does what the key would do. */
export function runShortcut(id: ShortcutId): void {
  handlerOf(id)?.();
}

const handlerOf = (id: ShortcutId): (() => void) | undefined =>
  onPage.findLast((each) => each.current[id])?.current[id];

function onKeyDown(event: KeyboardEvent): void {
  // Shift and the like come before the key that they change.
  if (event.defaultPrevented || ['Shift', 'Control', 'Meta', 'Alt'].includes(event.key)) return;
  const before = prefix && Date.now() - prefix.atMs <= SEQUENCE_MS_MAX ? prefix.key : null;
  const match = matchShortcut(event, before);
  prefix = null;
  if (match.kind === 'none') return;
  // Control or Command with a key is no text.
  if (!event.ctrlKey && !event.metaKey && isTyping(event)) return;
  if (match.kind === 'prefix') {
    prefix = { key: match.key, atMs: Date.now() };
    return;
  }
  const handler = match.ids.map(handlerOf).find((each) => each !== undefined);
  if (!handler) return;
  event.preventDefault();
  handler();
}

type PressedKey = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/** What a key means after the one before it (null when that was too long ago or none). */
type ShortcutMatch =
  | { kind: 'shortcut'; ids: readonly ShortcutId[] }
  /** The first key of two. */
  | { kind: 'prefix'; key: string }
  | { kind: 'none' };

/** Several shortcuts may share a key: they belong to different pages. */
export function matchShortcut(event: PressedKey, prefix: string | null): ShortcutMatch {
  const key = nameOf(event);
  if (key === null) return { kind: 'none' };
  const written = prefix === null ? key : `${prefix} ${key}`;
  const ids = SHORTCUTS.filter((shortcut) => (shortcut.keys as readonly string[]).includes(written)).map(
    (shortcut) => shortcut.id,
  );
  if (ids.length > 0) return { kind: 'shortcut', ids };
  // A second key that goes with no first one counts as a first one.
  if (prefix !== null) return matchShortcut(event, null);
  const begins = SHORTCUTS.some((shortcut) => shortcut.keys.some((keys) => keys.startsWith(`${key} `)));
  return begins ? { kind: 'prefix', key } : { kind: 'none' };
}

function nameOf({ key, ctrlKey, metaKey, altKey }: PressedKey): string | null {
  if (altKey) return null;
  if (ctrlKey || metaKey) return `mod+${key.toLowerCase()}`;
  return key === ' ' ? 'Space' : key;
}

/** Whether a key belongs to a text field, a menu, a dialog or a browser shortcut, and not to the page. */
function isTyping(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true;
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  // A button that has the focus is pressed with it.
  if (event.key === ' ' && target.closest('button, a, summary, input, [role="combobox"]')) return true;
  return (
    target.isContentEditable ||
    target.closest(
      'input:not([type="checkbox"]), textarea, select, [role="menu"], [role="listbox"], [role="dialog"]',
    ) !== null
  );
}
