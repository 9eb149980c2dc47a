'use client';

import { useState } from 'react';
import { formatPlural } from '#ui/format-number.ts';
import { loadData } from '#ui/navigation/load-data.ts';
import { onDemand } from '#ui/on-demand/on-demand.ts';
import { LoadButton } from '../values/lazy-text.tsx';
import type { StackRow } from './plan-stacks.ts';

const stackRows = onDemand(() => import('./stack-rows.tsx'));

type Shown = { rows: readonly StackRow[]; StackRows: typeof import('./stack-rows.tsx').StackRows };

/** The rows of a stack that are not on the page; loaded on demand. */
export function LazyFrames({ href, left, platform }: { href: string; left: number; platform: string }) {
  const [shown, setShown] = useState<Shown | null>(null);

  async function load() {
    const [rows, { StackRows }] = await Promise.all([loadData<StackRow[]>(href), stackRows.load()]);
    setShown({ rows, StackRows });
  }

  if (shown) return <shown.StackRows rows={shown.rows} platform={platform} />;
  return (
    <li className="border-b px-4 py-2 text-xs last:border-b-0">
      <LoadButton
        label={`Show ${formatPlural(left, 'more row')} of this stack`}
        failure="Couldn’t load the rest. Try again."
        load={load}
      />
    </li>
  );
}
