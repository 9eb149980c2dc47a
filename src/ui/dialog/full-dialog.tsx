'use client';

import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { buttonClass } from '../button.tsx';
import { cx } from '../cx.ts';
import { Backdrop } from './backdrop.tsx';

/** The dialog itself. With a trigger alone it is open from the start: its trigger was pressed before the code was there. */
export function FullDialog({
  trigger,
  open,
  onOpenChange,
  title,
  description,
  children,
  footer,
}: DialogProps) {
  return (
    <BaseDialog.Root open={open} defaultOpen onOpenChange={(next) => onOpenChange?.(next)}>
      {trigger ? <BaseDialog.Trigger render={trigger} /> : null}
      <BaseDialog.Portal>
        <Backdrop />
        <BaseDialog.Popup className="fixed top-[12vh] left-1/2 z-50 flex max-h-[76vh] w-[min(34rem,calc(100vw-2rem))] -translate-x-1/2 flex-col rounded-lg bg-surface-raised shadow-float outline-none transition-[opacity,translate] data-ending-style:translate-y-1 data-starting-style:translate-y-1 data-ending-style:opacity-0 data-starting-style:opacity-0">
          <div className={cx('flex items-start justify-between gap-4 px-5 pt-4', !children && 'pb-4')}>
            <div>
              <BaseDialog.Title className="font-semibold text-lg">{title}</BaseDialog.Title>
              {description ? (
                <BaseDialog.Description className="mt-1 text-sm text-text-muted">
                  {description}
                </BaseDialog.Description>
              ) : null}
            </div>
            <BaseDialog.Close
              aria-label="Close"
              className={buttonClass({ variant: 'ghost', size: 'sm', iconOnly: true })}
            >
              <X aria-hidden className="size-4" />
            </BaseDialog.Close>
          </div>
          {children ? <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4">{children}</div> : null}
          {footer ? <div className="flex justify-end gap-2 border-t px-5 py-3">{footer}</div> : null}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

export type DialogProps = {
  trigger?: ReactElement;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  footer?: ReactNode;
};
