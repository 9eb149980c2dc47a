'use client';

import { useState, useTransition } from 'react';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { TextField } from '#ui/field.tsx';
import { deleteOrganizationAction } from './general-actions.ts';

/** Deletes everything, after its slug was typed once more. */
export function DeleteOrganization({
  orgSlug,
  organizationName,
}: {
  orgSlug: string;
  organizationName: string;
}) {
  const [isOpen, setIsOpen] = useState(false);
  const [confirmation, setConfirmation] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isPending, startTransition] = useTransition();
  const remove = () =>
    startTransition(async () => {
      setError(await deleteOrganizationAction(orgSlug, confirmation));
    });
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="max-w-[60ch] text-sm text-text-muted">
        Projects, issues, events, members' roles, tokens and the audit log go for good. Accounts stay.
      </p>
      <Dialog
        open={isOpen}
        onOpenChange={setIsOpen}
        trigger={<Button variant="danger">Delete…</Button>}
        title={`Delete ${organizationName}?`}
        description="This cannot be undone. Programs that send to it are refused at once."
        footer={
          <>
            <Button onClick={() => setIsOpen(false)}>Cancel</Button>
            <Button variant="danger" disabled={isPending || confirmation.trim() !== orgSlug} onClick={remove}>
              {isPending ? 'Deleting…' : 'Delete the organization'}
            </Button>
          </>
        }
      >
        <TextField
          id="confirmation"
          label={`Type ${orgSlug} to go on`}
          value={confirmation}
          onChange={(event) => setConfirmation(event.target.value)}
          error={error}
          autoComplete="off"
          spellCheck={false}
        />
      </Dialog>
    </div>
  );
}
