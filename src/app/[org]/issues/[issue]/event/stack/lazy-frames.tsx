'use client';

import { useState } from 'react';
import { formatPlural } from '#ui/format-number.ts';
import { loadData } from '#ui/navigation/load-data.ts';
import { LoadButton } from '../values/lazy-text.tsx';
import type { DrawnRow } from './draw-rows.ts';
import { StackRows } from './stack-rows.tsx';

/** The rows of a stack that are not on the page; loaded on demand. */
export function LazyFrames({ href, left }: { href: string; left: number }) {
  const [rows, setRows] = useState<readonly DrawnRow[] | null>(null);

  if (rows) return <StackRows rows={rows} />;
  return (
    <li className="border-b px-4 py-2 text-xs last:border-b-0">
      <LoadButton
        label={`Show ${formatPlural(left, 'more row')} of this stack`}
        failure="Couldn’t load the rest. Try again."
        load={async () => setRows(await loadData<DrawnRow[]>(href))}
      />
    </li>
  );
}
