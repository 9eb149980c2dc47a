'use client';

import { CircleHelp } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#ui/button.tsx';
import { onDemand, usePopupOnDemand } from '#ui/on-demand/on-demand.ts';
import { useShortcuts } from './use-shortcuts.ts';

const sheet = onDemand(() => import('./help/help-sheet.tsx'));

/** Keyboard shortcuts and the search language; `?` opens it. */
export function Help() {
  const [isOpen, setIsOpen] = useState(false);
  const loaded = usePopupOnDemand(sheet, isOpen, () => setIsOpen(false));
  useShortcuts({ help: () => setIsOpen(true) });
  return (
    <>
      <Button
        variant="ghost"
        iconOnly
        aria-label="Help"
        aria-haspopup="dialog"
        title="Help (?)"
        onPointerEnter={() => void sheet.load().catch(() => {})}
        onClick={() => setIsOpen(true)}
      >
        <CircleHelp aria-hidden className="size-4" />
      </Button>
      {loaded && isOpen ? <loaded.HelpSheet onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}
