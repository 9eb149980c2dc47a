'use client';

import { CopyButton } from '#ui/copy-button.tsx';
import { loadText } from '#ui/navigation/load-data.ts';

/** Copies the text of an address, which is loaded only then. */
export function CopyFrom({ href, label, children }: { href: string; label: string; children: string }) {
  return (
    <CopyButton text={() => loadText(href)} label={label}>
      {children}
    </CopyButton>
  );
}
