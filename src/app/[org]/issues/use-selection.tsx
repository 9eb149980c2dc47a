'use client';

import { useRef, useState } from 'react';
import { Checkbox } from '#ui/checkbox.tsx';
import { Td, Th } from '#ui/table.tsx';

/** How an entry was toggled: with a range, the entries since the last one follow it. `keys` is the order on the page. */
export type Toggle<Key> = { range: boolean; keys: readonly Key[] };

/** Which entries of a list are selected, by their keys. */
export function useSelection<Key>() {
  const [selected, setSelected] = useState<ReadonlySet<Key>>(new Set());
  const lastToggled = useRef<Key | null>(null);
  return {
    selected,
    setSelected,
    toggle: (key: Key, { range, keys }: Toggle<Key> = { range: false, keys: [] }) => {
      const from = range ? lastToggled.current : null;
      lastToggled.current = key;
      setSelected((current) => toggled(current, key, from === null ? [] : keysBetween(keys, from, key)));
    },
    clear: () => {
      lastToggled.current = null;
      setSelected(new Set());
    },
  };
}

/** Toggles an entry; the ones that `follow` get its new state, so that a range ends up all selected or all not. */
export function toggled<Key>(
  current: ReadonlySet<Key>,
  key: Key,
  follow: readonly Key[] = [],
): ReadonlySet<Key> {
  const next = new Set(current);
  const isSelected = !current.has(key);
  for (const each of [...follow, key]) {
    if (isSelected) next.add(each);
    else next.delete(each);
  }
  return next;
}

/** Both ends and what is between them, whichever is first; nothing when one of them has left the page. */
export function keysBetween<Key>(keys: readonly Key[], from: Key, to: Key): readonly Key[] {
  const ends = [keys.indexOf(from), keys.indexOf(to)];
  const first = Math.min(...ends);
  return first < 0 ? [] : keys.slice(first, Math.max(...ends) + 1);
}

/** The heading of a column of check boxes. */
export function SelectHeading() {
  return (
    <Th className="w-8">
      <span className="sr-only">Select</span>
    </Th>
  );
}

/** The check box of a row. Shift asks for the range since the last one. */
export function SelectBox({
  id,
  label,
  isSelected,
  onToggle,
}: {
  id: string;
  /** Absent when a label is around it. */
  label?: string;
  isSelected: boolean;
  onToggle: (range: boolean) => void;
}) {
  return (
    <Checkbox
      id={id}
      aria-label={label}
      checked={isSelected}
      onChange={({ nativeEvent }) => {
        // A check box changes by a click, also when the space bar or its label caused it.
        const range = nativeEvent instanceof MouseEvent && nativeEvent.shiftKey;
        // Shift also selects the text up to where it was clicked.
        if (range) document.getSelection()?.removeAllRanges();
        onToggle(range);
      }}
    />
  );
}

/** The check box of a row of a table. */
export function SelectCell({
  id,
  name,
  isSelected,
  onToggle,
}: {
  id: string;
  /** What the row is called. */
  name: string;
  isSelected: boolean;
  onToggle: (range: boolean) => void;
}) {
  return (
    <Td className="w-8">
      <SelectBox id={id} label={`Select ${name}`} isSelected={isSelected} onToggle={onToggle} />
    </Td>
  );
}
