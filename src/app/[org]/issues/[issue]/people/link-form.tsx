'use client';

import { type FormEvent, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { TextField } from '#ui/field.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { Select } from '#ui/select.tsx';
import { CreateInTracker } from './create-in-tracker.tsx';
import type { TrackerChoice } from './issue-links.tsx';
import { LinkInTracker } from './link-in-tracker.tsx';
import type { IssuePlace } from './on-issue.ts';
import { addLinkAction } from './people-actions.ts';
import { useIssueAction } from './use-issue-action.ts';

const ANY_ADDRESS = 'address';

/** Links an issue of a tracker, one that is made now, or any address. Fetched when somebody wants to. */
export function LinkForm({
  place,
  trackers,
  onClose,
}: {
  place: IssuePlace;
  trackers: readonly TrackerChoice[];
  onClose: () => void;
}) {
  const [where, setWhere] = useState(trackers[0] ? String(trackers[0].id) : ANY_ADDRESS);
  const [mode, setMode] = useState<'create' | 'link'>('create');
  const tracker = trackers.find(({ id }) => String(id) === where);
  return (
    <div className="space-y-3">
      {trackers.length > 0 ? (
        <div className="flex flex-wrap items-center gap-2">
          <Select
            label="Link to"
            value={where}
            onValueChange={setWhere}
            options={[
              ...trackers.map(({ id, name }) => ({ value: String(id), label: name })),
              { value: ANY_ADDRESS, label: 'Other URL' },
            ]}
          />
          {tracker ? (
            <Segmented
              label="Action"
              value={mode}
              onValueChange={setMode}
              options={[
                { value: 'create', label: 'Create issue' },
                { value: 'link', label: 'Link' },
              ]}
            />
          ) : null}
        </div>
      ) : null}
      {!tracker ? (
        <AddressForm place={place} onClose={onClose} />
      ) : mode === 'create' ? (
        <CreateInTracker key={tracker.id} place={place} tracker={tracker} onClose={onClose} />
      ) : (
        <LinkInTracker key={tracker.id} place={place} tracker={tracker} onClose={onClose} />
      )}
    </div>
  );
}

function AddressForm({ place, onClose }: { place: IssuePlace; onClose: () => void }) {
  const { run, isPending } = useIssueAction();

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const link = { url: String(form.get('url') ?? ''), title: String(form.get('title') ?? '') };
    run(
      () => addLinkAction(place, link),
      () => {
        onClose();
        return { title: 'Linked' };
      },
    );
  }

  return (
    <form onSubmit={submit} className="space-y-3">
      <TextField
        name="url"
        type="url"
        label="URL"
        placeholder="https://github.com/acme/web/issues/12"
        autoComplete="off"
        maxLength={2_000}
        required
        // The person has just asked for it.
        autoFocus
      />
      <TextField name="title" label="Title" hint="Optional. Derived from the URL if empty." maxLength={200} />
      <div className="flex gap-2">
        <Button type="submit" size="sm" variant="primary" disabled={isPending}>
          {isPending ? 'Linking…' : 'Link'}
        </Button>
        <Button size="sm" variant="ghost" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
