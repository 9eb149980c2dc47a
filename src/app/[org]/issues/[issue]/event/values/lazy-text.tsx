'use client';

import { useState } from 'react';
import { loadText } from '#ui/navigation/load-data.ts';
import { ScrollRegion } from '#ui/table.tsx';

/** The whole of a text that is shortened on the page; loaded on demand. */
export function LazyText({ href, label }: { href: string; label: string }) {
  const [text, setText] = useState<string | null>(null);
  if (text === null) {
    return (
      <span className="block font-sans text-xs">
        <LoadButton
          label={label}
          failure="Couldn’t load the full text. Try again."
          load={async () => setText(await loadText(href))}
        />
      </span>
    );
  }
  return (
    <ScrollRegion label="Full text" className="mt-1 max-h-96 overflow-auto rounded-sm bg-surface-sunken">
      <pre className="mono whitespace-pre-wrap p-2 text-text text-xs leading-5 [overflow-wrap:anywhere]">
        <bdi>{text}</bdi>
      </pre>
    </ScrollRegion>
  );
}

/** Loads something on demand; after a failure it can be tried again. */
export function LoadButton({
  label,
  failure,
  load,
}: {
  label: string;
  failure: string;
  load: () => Promise<void>;
}) {
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle');
  return (
    <>
      <button
        type="button"
        disabled={state === 'loading'}
        onClick={() => {
          setState('loading');
          load().catch(() => setState('failed'));
        }}
        className="rounded-sm text-accent hover:underline"
      >
        {state === 'loading' ? 'Loading …' : label}
      </button>
      <span role="status" className="ml-2 text-danger">
        {state === 'failed' ? failure : ''}
      </span>
    </>
  );
}
