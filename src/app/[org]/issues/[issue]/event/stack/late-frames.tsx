'use client';

import { useState } from 'react';
import { formatPlural } from '#ui/format-number.ts';
import { loadData } from '#ui/navigation/load-data.ts';
import { onDemand } from '#ui/on-demand/on-demand.ts';
import type { StackRow } from './plan-stacks.ts';

const stackRows = onDemand(() => import('./stack-rows.tsx'));

type Shown = { rows: readonly StackRow[]; StackRows: typeof import('./stack-rows.tsx').StackRows };

/** The rows of a stack that the page does not hold; fetched when somebody asks. */
export function LateFrames({ href, left, platform }: { href: string; left: number; platform: string }) {
  const [shown, setShown] = useState<Shown | null>(null);
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle');

  async function load() {
    setState('loading');
    try {
      const [rows, { StackRows }] = await Promise.all([loadData<StackRow[]>(href), stackRows.load()]);
      setShown({ rows, StackRows });
    } catch {
      setState('failed');
    }
  }

  if (shown) return <shown.StackRows rows={shown.rows} platform={platform} openIndex={null} />;
  return (
    <li className="border-b px-4 py-2 text-xs last:border-b-0">
      <button
        type="button"
        disabled={state === 'loading'}
        onClick={load}
        className="rounded-sm text-accent hover:underline"
      >
        {state === 'loading' ? 'Loading …' : `Show ${formatPlural(left, 'more row')} of this stack`}
      </button>
      <span role="status" className="ml-2 text-danger">
        {state === 'failed' ? 'Couldn’t load the rest. Try again.' : ''}
      </span>
    </li>
  );
}
