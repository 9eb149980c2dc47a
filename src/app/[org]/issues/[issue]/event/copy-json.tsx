'use client';

import { CopyButton } from '#ui/copy-button.tsx';

/** Copies the event's JSON, which is loaded only then. */
export function CopyJson({ href }: { href: string }) {
  return (
    <CopyButton text={load} label="Copy the event as JSON">
      Copy JSON
    </CopyButton>
  );

  async function load(): Promise<string> {
    const response = await fetch(href);
    if (!response.ok) throw new Error(`The event could not be loaded: ${response.status}`);
    return response.text();
  }
}
