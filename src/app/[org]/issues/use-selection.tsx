'use client';

import { useState } from 'react';
import { Checkbox } from '#ui/checkbox.tsx';
import { Td, Th } from '#ui/table.tsx';

/** Which entries of a list are selected, by their keys. */
export function useSelection<Key>() {
  const [selected, setSelected] = useState<ReadonlySet<Key>>(new Set());
  return {
    selected,
    setSelected,
    toggle: (key: Key) => setSelected((current) => toggled(current, key)),
    clear: () => setSelected(new Set()),
  };
}

function toggled<Key>(current: ReadonlySet<Key>, key: Key): ReadonlySet<Key> {
  const next = new Set(current);
  if (!next.delete(key)) next.add(key);
  return next;
}

/** The heading of a column of check boxes. */
export function SelectHeading() {
  return (
    <Th className="w-8">
      <span className="sr-only">Select</span>
    </Th>
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
  onToggle: () => void;
}) {
  return (
    <Td className="w-8">
      <Checkbox id={id} aria-label={`Select ${name}`} checked={isSelected} onChange={onToggle} />
    </Td>
  );
}
