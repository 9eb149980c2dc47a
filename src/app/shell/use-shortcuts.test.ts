import { describe, expect, it } from 'vitest';
import { SHORTCUTS } from './shortcuts.ts';
import { matchShortcut } from './use-shortcuts.ts';

const press = (key: string, held: { ctrlKey?: boolean; metaKey?: boolean; altKey?: boolean } = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...held,
});

describe('matchShortcut', () => {
  it('knows single keys, and which pages may answer', () => {
    expect(matchShortcut(press('j'), null)).toEqual({ kind: 'shortcut', ids: ['list.next', 'issue.next'] });
    expect(matchShortcut(press('e'), null)).toEqual({
      kind: 'shortcut',
      ids: ['list.resolve', 'issue.resolve'],
    });
  });

  it('knows two keys in a row', () => {
    expect(matchShortcut(press('g'), null)).toEqual({ kind: 'prefix', key: 'g' });
    expect(matchShortcut(press('s'), 'g')).toEqual({ kind: 'shortcut', ids: ['go.stats'] });
  });

  it('takes a second key that does not fit for a first one', () => {
    expect(matchShortcut(press('j'), 'g')).toEqual({ kind: 'shortcut', ids: ['list.next', 'issue.next'] });
    expect(matchShortcut(press('g'), 'g')).toEqual({ kind: 'prefix', key: 'g' });
  });

  it('takes Control and Command for the same, and leaves the keys of the browser alone', () => {
    expect(matchShortcut(press('k', { metaKey: true }), null)).toEqual({
      kind: 'shortcut',
      ids: ['palette'],
    });
    expect(matchShortcut(press('K', { ctrlKey: true }), null)).toEqual({
      kind: 'shortcut',
      ids: ['palette'],
    });
    expect(matchShortcut(press('e', { ctrlKey: true }), null)).toEqual({ kind: 'none' });
    expect(matchShortcut(press('j', { altKey: true }), null)).toEqual({ kind: 'none' });
  });
});

describe('the table', () => {
  it('has each id once, and within a page each key once', () => {
    expect(new Set(SHORTCUTS.map((shortcut) => shortcut.id)).size).toBe(SHORTCUTS.length);
    for (const group of ['list', 'issue']) {
      const keys = SHORTCUTS.filter((each) => each.group === 'anywhere' || each.group === group).flatMap(
        (each) => each.keys,
      );
      expect(new Set(keys).size, group).toBe(keys.length);
    }
  });

  it('has no key that begins another', () => {
    const keys: readonly string[] = SHORTCUTS.flatMap((shortcut) => shortcut.keys);
    expect(keys.filter((key) => keys.some((other) => other.startsWith(`${key} `)))).toEqual([]);
  });
});
