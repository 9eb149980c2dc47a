'use client';

import { useEffect } from 'react';
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

/** Shows the section that the address names: the page arrives in parts, and the browser looks for it only once. */
export function ScrollToSection() {
  useEffect(() => {
    const id = location.hash.slice(1);
    if (id !== '') document.getElementById(id)?.scrollIntoView();
  }, []);
  return null;
}
