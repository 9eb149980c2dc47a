'use client';

import { useEffect, useRef } from 'react';
import { isTyping } from './is-typing.ts';
import { matchShortcut } from './match-shortcut.ts';
import { SEQUENCE_MS_MAX, SHORTCUTS, type ShortcutId } from './shortcuts.ts';

export type ShortcutHandlers = Partial<Record<ShortcutId, () => void>>;

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
