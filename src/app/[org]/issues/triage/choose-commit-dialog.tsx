'use client';

import { type FormEvent, useId, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { TextField } from '#ui/field.tsx';

export type ChosenCommit = { repository: string; commit: string };

/** Asks for the commit that fixes it. */
export function ChooseCommitDialog({
  isOpen,
  onClose,
  onChoose,
}: {
  isOpen: boolean;
  onClose: () => void;
  onChoose: (commit: ChosenCommit) => void;
}) {
  const formId = useId();
  const [repository, setRepository] = useState('');
  const [commit, setCommit] = useState('');

  function submit(event: FormEvent) {
    event.preventDefault();
    onClose();
    onChoose({ repository: repository.trim(), commit: commit.trim() });
  }

  return (
    <Dialog
      open={isOpen}
      onOpenChange={(open) => !open && onClose()}
      title="Resolve in a commit"
      description="Events don’t mark the issue as regressed until the commit is part of a release."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={formId}>
            Resolve
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="space-y-4">
        <TextField
          label="Repository"
          placeholder="shop/web"
          required
          maxLength={200}
          value={repository}
          onChange={(event) => setRepository(event.target.value)}
        />
        <TextField
          label="Commit"
          hint="7 to 64 hexadecimal digits"
          required
          pattern="\s*[0-9a-fA-F]{7,64}\s*"
          className="mono"
          value={commit}
          onChange={(event) => setCommit(event.target.value)}
        />
      </form>
    </Dialog>
  );
}
