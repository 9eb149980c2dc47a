'use client';

import { Tooltip as BaseTooltip } from '@base-ui/react/tooltip';
import type { ReactElement, ReactNode } from 'react';

/** Words for something that has a name already (an icon button's label); never the only place of a fact. */
export function Tooltip({
  content,
  children,
  side = 'top',
}: {
  content: ReactNode;
  /** The element that is pointed at; must take a ref. */
  children: ReactElement;
  side?: 'top' | 'bottom' | 'left' | 'right';
}) {
  return (
    <BaseTooltip.Root>
      <BaseTooltip.Trigger delay={350} render={children} />
      <BaseTooltip.Portal>
        <BaseTooltip.Positioner className="z-50" side={side} sideOffset={6} collisionPadding={8}>
          <BaseTooltip.Popup className="max-w-72 rounded-md bg-text px-2 py-1 text-surface text-xs shadow-float transition-opacity duration-[120ms] data-ending-style:opacity-0 data-starting-style:opacity-0">
            {content}
          </BaseTooltip.Popup>
        </BaseTooltip.Positioner>
      </BaseTooltip.Portal>
    </BaseTooltip.Root>
  );
}
