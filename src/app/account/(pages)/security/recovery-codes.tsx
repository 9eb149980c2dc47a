'use client';

import { Download } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Button } from '#ui/button.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { Notice } from '#ui/notice.tsx';

/** Shown once. */
export function RecoveryCodes({ codes, onSaved }: { codes: readonly string[]; onSaved: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const text = `Recovery codes for ${location.host}. Each opens once.\n\n${codes.join('\n')}\n`;
  return (
    <div className="flex flex-col items-start gap-4">
      <h3 ref={heading} tabIndex={-1} className="font-semibold text-sm outline-none">
        Keep these recovery codes
      </h3>
      <div className="w-full">
        <Notice tone="warning">
          They are shown only now. Each one opens your account once, when your phone is lost: keep them where
          you keep your passwords.
        </Notice>
      </div>
      <ul
        aria-label="Recovery codes"
        className="mono grid grid-cols-2 gap-x-8 gap-y-1.5 rounded-md border bg-surface-sunken px-4 py-3 text-sm"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-2">
        <CopyButton text={text} label="Copy the recovery codes" variant="secondary" size="md">
          Copy
        </CopyButton>
        <Button onClick={() => download(text)}>
          <Download aria-hidden className="size-3.5" />
          Download
        </Button>
        <Button variant="primary" onClick={onSaved}>
          I have kept them
        </Button>
      </div>
    </div>
  );
}

function download(text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = 'errata-recovery-codes.txt';
  link.click();
  URL.revokeObjectURL(address);
}
