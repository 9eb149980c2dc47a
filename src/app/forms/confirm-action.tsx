'use client';

import { Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { Button, type ButtonAppearance } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { TextField } from '#ui/field.tsx';
import { showToast } from '#ui/toast.tsx';

/** A server action with what the page binds to it: answers why it was refused, or null. */
type BoundAction = () => Promise<string | null>;

/** Runs an action and shows in a toast what became of it. */
function useAction() {
  const [isPending, startTransition] = useTransition();
  return {
    isPending,
    run: (action: BoundAction, doneTitle: string | null, then?: (refusal: string | null) => void) =>
      startTransition(async () => {
        const refusal = await action();
        then?.(refusal);
        if (refusal !== null) showToast({ title: refusal, tone: 'danger' });
        else if (doneTitle !== null) showToast({ title: doneTitle });
      }),
  };
}

/** A button that does one thing at once. */
export function ActionButton({
  action,
  label,
  pendingLabel = label,
  accessibleName,
  doneTitle = null,
  ...appearance
}: ButtonAppearance & {
  action: BoundAction;
  label: string;
  pendingLabel?: string;
  /** Names what it is about, where the label alone does not. */
  accessibleName?: string;
  /** Of the toast that confirms it; left out where the page shows it. */
  doneTitle?: string | null;
}) {
  const { isPending, run } = useAction();
  return (
    <Button
      {...appearance}
      isPending={isPending}
      aria-label={accessibleName}
      onClick={() => run(action, doneTitle)}
    >
      {isPending ? pendingLabel : label}
    </Button>
  );
}

/** A button that does something after a question. */
export function ConfirmAction({
  action,
  label,
  accessibleName,
  title,
  description,
  confirmLabel,
  cancelLabel = 'Cancel',
  doneTitle,
  typed = null,
  afterHref = null,
  disabledReason = null,
  ...appearance
}: ButtonAppearance & {
  action: (typed: string) => Promise<string | null>;
  label: string;
  accessibleName?: string;
  title: string;
  description: string;
  confirmLabel: string;
  cancelLabel?: string;
  doneTitle: string;
  /** What has to be typed first; null for a question only. */
  typed?: string | null;
  /** Where to go afterwards; null to stay. */
  afterHref?: string | null;
  /** Why the person cannot, and who can help; null when they can. */
  disabledReason?: string | null;
}) {
  const router = useRouter();
  const [isOpen, setIsOpen] = useState(false);
  const [confirmation, setConfirmation] = useState('');
  const [error, setError] = useState<string | null>(null);
  const { isPending, run } = useAction();
  const button = {
    ...appearance,
    'aria-label': accessibleName ?? label,
    children: appearance.iconOnly ? <Trash2 aria-hidden className="size-3.5" /> : label,
  };
  if (disabledReason !== null) {
    return (
      <Button
        {...button}
        disabled
        aria-label={`${accessibleName ?? label}. ${disabledReason}.`}
        title={disabledReason}
      />
    );
  }
  const show = (next: boolean) => {
    setIsOpen(next);
    setConfirmation('');
    setError(null);
  };
  const confirm = () =>
    run(
      () => action(confirmation),
      doneTitle,
      (refusal) => {
        if (refusal !== null && typed !== null) setError(refusal);
        else show(false);
        if (refusal === null && afterHref !== null) router.push(afterHref);
      },
    );
  return (
    <Dialog
      open={isOpen}
      onOpenChange={show}
      trigger={<Button {...button} title={appearance.iconOnly ? button['aria-label'] : undefined} />}
      title={title}
      description={description}
      footer={
        <>
          <Button onClick={() => show(false)}>{cancelLabel}</Button>
          <Button
            variant="danger"
            disabled={typed !== null && confirmation.trim() !== typed}
            isPending={isPending}
            onClick={confirm}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      {typed === null ? null : (
        <TextField
          label={`Type ${typed} to confirm`}
          value={confirmation}
          onChange={(event) => setConfirmation(event.target.value)}
          error={error}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
      )}
    </Dialog>
  );
}

/** Deletes one thing of a list, after a question. */
export function ConfirmDelete({
  name,
  consequence,
  action,
  afterHref,
  disabledReason,
}: {
  /** As it stands behind "Delete". */
  name: string;
  /** What is different afterwards, in sentences. */
  consequence: string;
  action: BoundAction;
  afterHref?: string | null;
  disabledReason?: string | null;
}) {
  return (
    <ConfirmAction
      action={action}
      label="Delete"
      accessibleName={`Delete ${name}`}
      title={`Delete ${name}?`}
      description={`${consequence} This cannot be undone.`}
      confirmLabel="Delete"
      doneTitle={`Deleted: ${name}`}
      afterHref={afterHref}
      disabledReason={disabledReason}
      size="sm"
      variant="ghost"
      iconOnly
    />
  );
}
