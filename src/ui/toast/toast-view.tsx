'use client';

import { Toast as BaseToast } from '@base-ui/react/toast';
import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { useEffect } from 'react';
import { buttonClass } from '../button.tsx';

const TOAST_MS = 7_000;
const TOASTS_MAX = 3;

const manager = BaseToast.createToastManager();

export function addToast({ title, description, tone = 'success', action }: ToastMessage): void {
  const id = manager.add({
    title,
    description,
    type: tone,
    priority: tone === 'danger' ? 'high' : 'low',
    timeout: TOAST_MS,
    actionProps: action
      ? {
          children: action.label,
          onClick: () => {
            manager.close(id);
            action.onSelect();
          },
        }
      : undefined,
  });
}

/** Where toasts appear. `onReady` is called once the region is in the page, so that what is added is announced. */
export function ToastView({ onReady }: { onReady: () => void }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the region has come
  useEffect(() => onReady(), []);
  return (
    <BaseToast.Provider toastManager={manager} limit={TOASTS_MAX} timeout={TOAST_MS}>
      <BaseToast.Portal>
        <BaseToast.Viewport className="fixed right-4 bottom-20 left-4 z-50 flex flex-col items-end gap-2 outline-none sm:right-6 sm:bottom-6 sm:left-auto sm:w-96">
          <Toasts />
        </BaseToast.Viewport>
      </BaseToast.Portal>
    </BaseToast.Provider>
  );
}

function Toasts() {
  const { toasts } = BaseToast.useToastManager();
  return toasts.map((toast) => {
    const Icon = toast.type === 'danger' ? CircleAlert : CircleCheck;
    return (
      <BaseToast.Root
        key={toast.id}
        toast={toast}
        className="w-full rounded-lg bg-surface-raised shadow-float transition-[opacity,translate] duration-[160ms] data-ending-style:translate-y-1 data-starting-style:translate-y-2 data-ending-style:opacity-0 data-starting-style:opacity-0 data-limited:hidden"
      >
        <BaseToast.Content className="flex items-center gap-2.5 py-2 pr-2 pl-3.5">
          <Icon
            aria-hidden
            className={`size-4 shrink-0 ${toast.type === 'danger' ? 'text-danger' : 'text-success'}`}
          />
          <div className="min-w-0 flex-1 py-1">
            <BaseToast.Title className="break-anything font-medium text-sm" />
            <BaseToast.Description className="break-anything text-text-muted text-xs" />
          </div>
          <BaseToast.Action className={buttonClass({ size: 'sm' })} />
          <BaseToast.Close
            aria-label="Close"
            className={buttonClass({ variant: 'ghost', size: 'sm', iconOnly: true })}
          >
            <X aria-hidden className="size-4" />
          </BaseToast.Close>
        </BaseToast.Content>
      </BaseToast.Root>
    );
  });
}

export type ToastMessage = {
  title: string;
  description?: string;
  tone?: 'success' | 'danger';
  /** One verb, for example Undo. */
  action?: { label: string; onSelect: () => void };
};
