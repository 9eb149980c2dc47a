import { SHORTCUTS, type ShortcutId } from './shortcuts.ts';

export type PressedKey = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/** What a key means after the one before it (null when that was too long ago or none). */
export type ShortcutMatch =
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
  return key;
}
