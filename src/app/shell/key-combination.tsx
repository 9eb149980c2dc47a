'use client';

import { useSyncExternalStore } from 'react';
import { Kbd } from '#ui/kbd.tsx';

/** Keys as the table of shortcuts writes them: `mod+k`, `g i`, `Escape`. */
export function KeyCombination({ keys }: { keys: string }) {
  const isMac = useSyncExternalStore(neverChanges, onMac, () => false);
  return (
    <span className="inline-flex items-center gap-1">
      {keys.split(' ').map((key, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two keys in their order
        <Kbd key={index}>{writeKey(key, isMac)}</Kbd>
      ))}
    </span>
  );
}

function writeKey(key: string, isMac: boolean): string {
  if (key.startsWith('mod+')) return `${isMac ? '⌘' : 'Ctrl '}${key.slice(4).toUpperCase()}`;
  return SIGNS[key] ?? key;
}

const SIGNS: Readonly<Record<string, string>> = { Escape: 'Esc', ArrowLeft: '←', ArrowRight: '→' };

const neverChanges = () => () => {};
const onMac = () => /mac|iphone|ipad/i.test(navigator.platform);
