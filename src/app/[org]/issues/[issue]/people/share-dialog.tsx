'use client';

import { useState } from 'react';
import { Button } from '#ui/button.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Field, Input } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import { Select } from '#ui/select.tsx';
import { shareAction, stopSharingAction } from './actions.ts';
import type { IssuePlace } from './on-issue.ts';
import { useIssueAction } from './use-issue-action.ts';

/** `until` in words; null while the issue is not shared. */
export type ShareView = {
  isAllowed: boolean;
  until: string | null;
  days: readonly number[];
  daysDefault: number;
};

/** Makes a public page of the issue, shows its address once, and takes it back. */
export function ShareDialog({
  place,
  sharing,
  open,
  onOpenChange,
}: {
  place: IssuePlace;
  sharing: ShareView;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const { run, isPending } = useIssueAction();
  const [days, setDays] = useState(String(sharing.daysDefault));
  const [url, setUrl] = useState<string | null>(null);
  const isShared = sharing.until !== null;
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!next) setUrl(null);
        onOpenChange(next);
      }}
      title={`Share ${place.shortId} publicly`}
      description="Anyone with the link can see the title, the stack trace without variables, counts, and dates, but no user, request, or breadcrumb data."
      footer={
        sharing.isAllowed ? (
          <>
            {isShared ? (
              <Button
                disabled={isPending}
                onClick={() =>
                  run(
                    () => stopSharingAction(place),
                    () => {
                      setUrl(null);
                      return { title: 'Sharing stopped' };
                    },
                  )
                }
              >
                Stop sharing
              </Button>
            ) : null}
            <Button
              variant="primary"
              disabled={isPending}
              onClick={() =>
                run(
                  () => shareAction(place, Number(days)),
                  (address) => {
                    setUrl(address);
                    return null;
                  },
                )
              }
            >
              {isShared ? 'Create new link' : 'Create link'}
            </Button>
          </>
        ) : null
      }
    >
      {sharing.isAllowed ? (
        <div className="space-y-4">
          {url === null ? null : (
            <Field
              id="share-url"
              label="Link"
              hint="Copy the link now. It is not stored and can’t be shown again."
            >
              <span className="flex items-center gap-1.5">
                <Input
                  id="share-url"
                  readOnly
                  value={url}
                  onFocus={(event) => event.currentTarget.select()}
                />
                <CopyButton text={url} label="Copy link" />
              </span>
            </Field>
          )}
          {isShared && url === null ? (
            <Notice title={`Shared until ${sharing.until}`}>
              The link is not stored, so it can’t be shown again. Creating a new link invalidates the old one.
            </Notice>
          ) : null}
          <Field id="share-days" label="Expires after">
            <Select
              id="share-days"
              look="field"
              value={days}
              onValueChange={setDays}
              options={sharing.days.map((each) => ({
                value: String(each),
                label: each === 1 ? '1 day' : `${each} days`,
              }))}
            />
          </Field>
        </div>
      ) : (
        <Notice title="Sharing is disabled">An organization manager can enable it in the settings.</Notice>
      )}
    </Dialog>
  );
}
