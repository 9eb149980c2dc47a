'use client';

import { useState } from 'react';
import type { DialogProps } from './dialog/full-dialog.tsx';
import { lightTrigger } from './on-demand/light-trigger.ts';
import { onDemand, usePopupOnDemand } from './on-demand/on-demand.ts';

const fullDialog = onDemand(() => import('./dialog/full-dialog.tsx'));

/**
 * A modal dialog. Give either `trigger`, or `open` with `onOpenChange`. Focus returns to where it came from. Its code is
 * fetched when it is first opened.
 */
export function Dialog(props: DialogProps) {
  const { trigger, open, onOpenChange } = props;
  const [isAsked, setIsAsked] = useState(false);
  const full = usePopupOnDemand(fullDialog, isAsked || open === true, () => {
    setIsAsked(false);
    onOpenChange?.(false);
  });
  if (full) return <full.FullDialog {...props} />;
  if (!trigger) return null;
  return lightTrigger(trigger, {
    popup: 'dialog',
    opensWithArrows: false,
    onNear: () => void fullDialog.load().catch(() => {}),
    onOpen: () => {
      setIsAsked(true);
      onOpenChange?.(true);
    },
  });
}
