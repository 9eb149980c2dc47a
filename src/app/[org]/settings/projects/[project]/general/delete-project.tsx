'use client';

import { useState, useTransition } from 'react';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { TextField } from '#ui/field.tsx';
import { deleteProjectAction } from './project-actions.ts';

/** Asks for the slug first: nothing brings a project back. */
export function DeleteProject({ orgSlug, slug }: { orgSlug: string; slug: string }) {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isPending, startTransition] = useTransition();

  const remove = () => startTransition(async () => setError(await deleteProjectAction(orgSlug, slug, typed)));

  return (
    <Dialog
      open={isOpen}
      onOpenChange={(next) => {
        setOpen(next);
        setTyped('');
        setError(null);
      }}
      trigger={<Button variant="danger">Delete project</Button>}
      title={`Delete the project ${slug}?`}
      description="Its issues, events, client keys and settings are gone at once, what it stored within minutes. Programs that send to it are turned away. This cannot be undone."
      footer={
        <>
          <Button onClick={() => setOpen(false)}>Cancel</Button>
          <Button variant="danger" disabled={isPending || typed.trim() !== slug} onClick={remove}>
            {isPending ? 'Deleting…' : 'Delete for good'}
          </Button>
        </>
      }
    >
      <TextField
        id="confirmation"
        label={`Type ${slug} to confirm`}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        error={error}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
      />
    </Dialog>
  );
}
