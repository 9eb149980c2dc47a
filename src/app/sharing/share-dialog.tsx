'use client';

import { type ReactElement, type ReactNode, useState, useTransition } from 'react';
import type { Answer } from '#app/forms/submit-form.ts';
import { Button } from '#ui/button.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Field, Input } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import { Select } from '#ui/select.tsx';
import { showToast } from '#ui/toast.tsx';

/** `until` in words; null while it is not shared. */
export type ShareView = {
  isAllowed: boolean;
  until: string | null;
  days: readonly number[];
  daysDefault: number;
};

/** Makes a public page of something, shows its address once, and takes it back. Give `trigger`, or `open` with `onOpenChange`. */
export function ShareDialog({
  title,
  description,
  sharing,
  obstacle = null,
  children,
  create,
  stop,
  ...dialog
}: {
  title: string;
  /** What everybody would see. */
  description: string;
  sharing: ShareView;
  /** Why no link can be made, beside what the organization allows; null when one can. */
  obstacle?: ReactNode;
  /** What else belongs to the choice. */
  children?: ReactNode;
  /** Answers the address. */
  create: (days: number) => Promise<Answer<string>>;
  /** Answers a refusal as a sentence, or null. */
  stop: () => Promise<string | null>;
  trigger?: ReactElement;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
}) {
  const [days, setDays] = useState(String(sharing.daysDefault));
  const [url, setUrl] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isPending, startTransition] = useTransition();
  const isShared = sharing.until !== null;
  const canShare = sharing.isAllowed && obstacle === null;

  const createLink = () =>
    startTransition(async () => {
      const answer = await create(Number(days));
      setError(answer.ok ? null : answer.message);
      if (answer.ok) setUrl(answer.value);
    });
  const stopSharing = () =>
    startTransition(async () => {
      const refusal = await stop();
      setError(refusal);
      if (refusal !== null) return;
      setUrl(null);
      showToast({ title: 'Sharing stopped' });
    });

  return (
    <Dialog
      {...dialog}
      onOpenChange={(open) => {
        if (!open) setUrl(null);
        dialog.onOpenChange?.(open);
      }}
      title={title}
      description={description}
      footer={
        canShare || isShared ? (
          <>
            {isShared ? (
              <Button disabled={isPending} onClick={stopSharing}>
                Stop sharing
              </Button>
            ) : null}
            {canShare ? (
              <Button variant="primary" isPending={isPending} onClick={createLink}>
                {isShared ? 'Create new link' : 'Create link'}
              </Button>
            ) : null}
          </>
        ) : null
      }
    >
      <div className="flex flex-col gap-4">
        {error === null ? null : <Notice tone="danger">{error}</Notice>}
        {url === null ? null : (
          <Field
            id="share-url"
            label="Link"
            hint="Copy the link now. It is not stored and can’t be shown again."
          >
            <span className="flex items-center gap-1.5">
              <Input id="share-url" readOnly value={url} onFocus={(event) => event.currentTarget.select()} />
              <CopyButton text={url} label="Copy link" />
            </span>
          </Field>
        )}
        {isShared && url === null ? (
          <Notice title={`Shared until ${sharing.until}`}>
            The link is not stored, so it can’t be shown again. Creating a new link invalidates the old one.
          </Notice>
        ) : null}
        {sharing.isAllowed ? null : (
          <Notice title="Sharing is disabled">An organization manager can enable it in the settings.</Notice>
        )}
        {sharing.isAllowed ? obstacle : null}
        {canShare ? (
          <>
            {children}
            <Field id="share-days" label="Expires after">
              <Select
                id="share-days"
                label="Expires after"
                look="field"
                value={days}
                onValueChange={setDays}
                options={sharing.days.map((each) => ({
                  value: String(each),
                  label: each === 1 ? '1 day' : `${each} days`,
                }))}
              />
            </Field>
          </>
        ) : null}
      </div>
    </Dialog>
  );
}
