'use client';

import { type FormEvent, useEffect, useId, useState } from 'react';
import { FormButtons } from '#app/shell/form-dialog.tsx';
import { Field, Textarea, TextField } from '#ui/field.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { Select } from '#ui/select.tsx';
import { addLinkAction, createTrackerIssueAction, draftTrackerIssueAction } from './actions.ts';
import { LinkInTracker } from './link-in-tracker.tsx';
import type { IssuePlace } from './on-issue.ts';
import {
  type TrackerChoice,
  type TrackerFormProps,
  TrackerProject,
  useTrackerProjects,
} from './tracker-project.tsx';
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
      <FormButtons label={isPending ? 'Linking…' : 'Link'} disabled={isPending} onCancel={onClose} />
    </form>
  );
}

/** Makes an issue in a tracker, with the facts of this one as its beginning. */
function CreateInTracker({ place, tracker, onClose }: TrackerFormProps) {
  const bodyId = useId();
  const { run, isPending } = useIssueAction();
  const projects = useTrackerProjects(place, tracker);
  const [draft, setDraft] = useState<{ title: string; body: string } | null>(null);
  const { organizationSlug, shortId } = place;

  useEffect(() => {
    let isGone = false;
    draftTrackerIssueAction({ organizationSlug, shortId }, tracker.kind).then((result) => {
      if (!isGone) setDraft(result.ok ? result.value : { title: '', body: '' });
    }, reportError);
    return () => {
      isGone = true;
    };
  }, [organizationSlug, shortId, tracker.kind]);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!draft) return;
    run(
      () =>
        createTrackerIssueAction(place, { trackerId: tracker.id, projectId: projects.projectId, ...draft }),
      (key) => {
        onClose();
        return { title: `Created: ${key}` };
      },
    );
  }

  return (
    <form onSubmit={submit} className="space-y-3">
      <TrackerProject state={projects} tracker={tracker} />
      <TextField
        label="Title"
        value={draft?.title ?? ''}
        onChange={(event) => setDraft({ title: event.currentTarget.value, body: draft?.body ?? '' })}
        disabled={draft === null}
        maxLength={255}
        required
      />
      <Field id={bodyId} label="Description" hint={`Visible to everyone with access to ${tracker.name}.`}>
        <Textarea
          id={bodyId}
          rows={8}
          className="mono text-xs"
          value={draft?.body ?? ''}
          onChange={(event) => setDraft({ title: draft?.title ?? '', body: event.currentTarget.value })}
          disabled={draft === null}
          maxLength={30_000}
        />
      </Field>
      <FormButtons
        label={isPending ? 'Creating…' : 'Create issue'}
        disabled={isPending || draft === null || projects.projectId === ''}
        onCancel={onClose}
      />
    </form>
  );
}
