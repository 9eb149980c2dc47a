'use client';

import { useState } from 'react';
import { loadText } from '#ui/navigation/load-data.ts';
import { ScrollRegion } from '#ui/table.tsx';

/** The whole of a text of which the page holds the beginning; fetched when somebody asks. */
export function LateText({ href, label }: { href: string; label: string }) {
  const [text, setText] = useState<string | null>(null);
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle');

  async function load() {
    setState('loading');
    try {
      setText(await loadText(href));
    } catch {
      setState('failed');
    }
  }

  if (text !== null) {
    return (
      <ScrollRegion label="Full text" className="mt-1 max-h-96 overflow-auto rounded-sm bg-surface-sunken">
        <pre className="mono whitespace-pre-wrap p-2 text-text text-xs leading-5 [overflow-wrap:anywhere]">
          <bdi>{text}</bdi>
        </pre>
      </ScrollRegion>
    );
  }
  return (
    <span className="block font-sans text-xs">
      <button
        type="button"
        disabled={state === 'loading'}
        onClick={load}
        className="rounded-sm text-accent hover:underline"
      >
        {state === 'loading' ? 'Loading …' : label}
      </button>
      <span role="status" className="ml-2 text-danger">
        {state === 'failed' ? 'Couldn’t load the full text. Try again.' : ''}
      </span>
    </span>
  );
}
