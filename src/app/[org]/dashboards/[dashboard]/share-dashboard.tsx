'use client';

import { useState, useTransition } from 'react';
import { Button } from '#ui/button.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Field, Input } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import { Select } from '#ui/select.tsx';
import { showToast } from '#ui/toast.tsx';
import { shareDashboardAction, stopSharingDashboardAction } from '../dashboard-actions.ts';

/** Makes a public page of the dashboard, shows its address once, and takes it back. */
export function ShareDashboard({
  organizationSlug,
  dashboardId,
  sharing,
}: {
  organizationSlug: string;
  dashboardId: number;
  /** `until` in words; null while the dashboard is not shared. `projects` are those that everybody would see. */
  sharing: {
    isAllowed: boolean;
    until: string | null;
    projects: readonly string[];
    days: readonly number[];
    daysDefault: number;
  };
}) {
  const [days, setDays] = useState(String(sharing.daysDefault));
  const [url, setUrl] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isPending, startTransition] = useTransition();
  const canShare = sharing.isAllowed && sharing.projects.length > 0;

  const create = () =>
    startTransition(async () => {
      const answer = await shareDashboardAction(organizationSlug, { id: dashboardId, days: Number(days) });
      setError(answer.ok ? null : `${answer.message}.`);
      if (answer.ok) setUrl(answer.value);
    });
  const stop = () =>
    startTransition(async () => {
      const refusal = await stopSharingDashboardAction(organizationSlug, dashboardId);
      setError(refusal);
      if (refusal !== null) return;
      setUrl(null);
      showToast({ title: 'Sharing stopped' });
    });

  return (
    <Dialog
      trigger={<Button>Share</Button>}
      onOpenChange={(open) => {
        if (!open) setUrl(null);
      }}
      title="Share this dashboard publicly"
      description="Anyone with the link can see the title and what the widgets show, rows of lists included. They see no searches, no other page, and nothing of other projects."
      footer={
        canShare || sharing.until !== null ? (
          <>
            {sharing.until === null ? null : (
              <Button disabled={isPending} onClick={stop}>
                Stop sharing
              </Button>
            )}
            {canShare ? (
              <Button variant="primary" isPending={isPending} onClick={create}>
                {sharing.until === null ? 'Create link' : 'Create new link'}
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
        {sharing.until !== null && url === null ? (
          <Notice title={`Shared until ${sharing.until}`}>
            The link is not stored, so it can’t be shown again. Creating a new link invalidates the old one.
          </Notice>
        ) : null}
        {!sharing.isAllowed ? (
          <Notice title="Sharing is disabled">An organization manager can enable it in the settings.</Notice>
        ) : sharing.projects.length === 0 ? (
          <Notice title="Choose projects first">
            Select the projects that the link may show at the top of the dashboard, then choose “Save
            filters”.
          </Notice>
        ) : (
          <>
            <p className="break-anything text-sm">Projects shown: {sharing.projects.join(', ')}</p>
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
        )}
      </div>
    </Dialog>
  );
}
