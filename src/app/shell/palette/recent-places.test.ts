import { expect, it } from 'vitest';
import { keepRecent, readRecent, titledLabel } from './recent-places.ts';

function memory(start: Record<string, string> = {}) {
  const kept = new Map(Object.entries(start));
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}
const place = (n: number) => ({ href: `/acme/issues/WEB-${n}`, label: `WEB-${n}` });

it('keeps the newest six, each once, per organization', () => {
  const storage = memory();
  for (const n of [1, 2, 3, 4, 5, 6, 7, 2]) keepRecent(storage, 'acme', place(n));
  expect(readRecent(storage, 'acme')).toEqual([2, 7, 6, 5, 4, 3].map(place));
  expect(readRecent(storage, 'other')).toEqual([]);
});

it('names an issue by its title, and keeps that name', () => {
  expect(titledLabel('WEB-1', 'WEB-1 TypeError · Errata')).toBe('WEB-1 TypeError');
  expect(titledLabel('WEB-1', 'WEB-12 TypeError · Errata')).toBe('WEB-1');
  expect(titledLabel('web', 'Projects · Errata')).toBe('web');
  const storage = memory();
  keepRecent(storage, 'acme', { ...place(1), label: 'WEB-1 TypeError' });
  keepRecent(storage, 'acme', place(2));
  keepRecent(storage, 'acme', place(1));
  expect(readRecent(storage, 'acme').map(({ label }) => label)).toEqual(['WEB-1 TypeError', 'WEB-2']);
});

it('leads only to pages of this app, whatever is stored', () => {
  const stored = [
    { href: 'https://evil.test', label: 'x' },
    { href: '//evil.test', label: 'x' },
    { href: '/\\evil.test', label: 'x' },
    null,
    7,
    place(1),
  ];
  expect(readRecent(memory({ 'errata.recent.acme': JSON.stringify(stored) }), 'acme')).toEqual([place(1)]);
  expect(readRecent(memory({ 'errata.recent.acme': '{not json' }), 'acme')).toEqual([]);
});

it('does without a storage that refuses', () => {
  const storage = {
    getItem: () => null,
    setItem: () => {
      throw new Error('full');
    },
  };
  expect(() => keepRecent(storage, 'acme', place(1))).not.toThrow();
});
