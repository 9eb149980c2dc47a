'use client';

import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '#ui/button.tsx';
import { Menu } from '#ui/menu.tsx';
import type { TriageAction } from '../triage.ts';

/** What the buttons of triage have in common. */
export type TriageButtonProps = {
  hint?: ReactNode;
  side?: 'top' | 'bottom';
  isCompact?: boolean;
  onAct: (action: TriageAction) => void;
};

/** A button for what is done most, with a menu of the other ways. */
export function SplitButton({
  variant = 'secondary',
  icon,
  label,
  hint,
  title,
  menuLabel,
  side = 'bottom',
  isCompact = false,
  onSelect,
  children,
}: {
  variant?: 'primary' | 'secondary';
  icon: ReactNode;
  label: string;
  hint?: ReactNode;
  title?: string;
  menuLabel: string;
  side?: 'top' | 'bottom';
  /** Only the icon where there is little room. */
  isCompact?: boolean;
  onSelect: () => void;
  /** Items of the menu. */
  children: ReactNode;
}) {
  return (
    <span className="inline-flex shrink-0">
      <Button variant={variant} title={title} className="rounded-r-none" onClick={onSelect}>
        {icon}
        <span className={isCompact ? 'max-sm:sr-only' : undefined}>{label}</span>
        {hint}
      </Button>
      <Menu
        align="end"
        side={side}
        trigger={
          <Button
            variant={variant}
            iconOnly
            aria-label={menuLabel}
            className={
              variant === 'primary'
                ? 'w-7 rounded-l-none border-l-surface-raised/30'
                : '-ml-px w-7 rounded-l-none'
            }
          >
            <ChevronDown aria-hidden className="size-3.5" />
          </Button>
        }
      >
        {children}
      </Menu>
    </span>
  );
}
