'use client';

import { type ReactNode, useId } from 'react';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';

/** A dialog with a form, a button that submits it and one that closes it. */
export function FormDialog({
  open = true,
  title,
  description,
  submitLabel,
  isPending = false,
  className = 'space-y-4',
  action,
  onSubmit,
  onClose,
  children,
}: {
  open?: boolean;
  title: string;
  description: ReactNode;
  submitLabel: string;
  isPending?: boolean;
  /** Of the form. */
  className?: string;
  /** With what was typed; `onSubmit` for fields that keep it themselves. */
  action?: (form: FormData) => void;
  onSubmit?: () => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const formId = useId();
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={title}
      description={description}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={formId} isPending={isPending}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        action={action}
        onSubmit={
          onSubmit &&
          ((event) => {
            event.preventDefault();
            onSubmit();
          })
        }
        className={className}
      >
        {children}
      </form>
    </Dialog>
  );
}

/** The buttons of a small form within a page; without `onCancel` only the one that submits it. */
export function FormButtons({
  label,
  disabled,
  onCancel,
}: {
  label: string;
  disabled: boolean;
  onCancel?: () => void;
}) {
  return (
    <div className="flex gap-2">
      <Button type="submit" size="sm" variant="primary" disabled={disabled}>
        {label}
      </Button>
      {onCancel ? (
        <Button size="sm" variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
      ) : null}
    </div>
  );
}
