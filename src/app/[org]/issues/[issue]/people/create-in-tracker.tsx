'use client';

import { type FormEvent, useEffect, useId, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Field, TextField } from '#ui/field.tsx';
import { Textarea } from '#ui/input.tsx';
import type { TrackerChoice } from './issue-links.tsx';
import type { IssuePlace } from './on-issue.ts';
import { createTrackerIssueAction, draftTrackerIssueAction } from './tracker-actions.ts';
import { TrackerProject, useTrackerProjects } from './tracker-project.tsx';
import { useIssueAction } from './use-issue-action.ts';

/** Makes an issue in a tracker, with the facts of this one as its beginning. */
export function CreateInTracker({
  place,
  tracker,
  onClose,
}: {
  place: IssuePlace;
  tracker: TrackerChoice;
  onClose: () => void;
}) {
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
      <div className="flex gap-2">
        <Button
          type="submit"
          size="sm"
          variant="primary"
          disabled={isPending || draft === null || projects.projectId === ''}
        >
          {isPending ? 'Creating…' : 'Create issue'}
        </Button>
        <Button size="sm" variant="ghost" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
