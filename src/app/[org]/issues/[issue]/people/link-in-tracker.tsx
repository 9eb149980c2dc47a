'use client';

import { type FormEvent, useState } from 'react';
import { FormButtons } from '#app/shell/form-dialog.tsx';
import { Button } from '#ui/button.tsx';
import { TextField } from '#ui/field.tsx';
import { type FoundIssue, findTrackerIssuesAction, linkTrackerIssueAction } from './actions.ts';
import { type TrackerFormProps, TrackerProject, useTrackerProjects } from './tracker-project.tsx';
import { useIssueAction } from './use-issue-action.ts';

/** Links an issue that a tracker has already, by its address or key, or one that is found by its title. */
export function LinkInTracker({ place, tracker, onClose }: TrackerFormProps) {
  const { run, isPending } = useIssueAction();
  const link = (reference: string) =>
    run(
      () => linkTrackerIssueAction(place, { trackerId: tracker.id, reference }),
      (key) => {
        onClose();
        return { title: `Linked: ${key}` };
      },
    );

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    link(String(new FormData(event.currentTarget).get('reference') ?? ''));
  }

  return (
    <>
      <form onSubmit={submit} className="space-y-3">
        <TextField
          name="reference"
          label="URL or key"
          placeholder={`${tracker.url}/…`}
          autoComplete="off"
          maxLength={2_000}
          required
        />
        <FormButtons label={isPending ? 'Linking…' : 'Link'} disabled={isPending} onCancel={onClose} />
      </form>
      <Search place={place} tracker={tracker} isPending={isPending} onLink={link} />
    </>
  );
}

function Search({
  place,
  tracker,
  isPending,
  onLink,
}: Omit<TrackerFormProps, 'onClose'> & {
  isPending: boolean;
  onLink: (key: string) => void;
}) {
  const { run, isPending: isSearching } = useIssueAction();
  const projects = useTrackerProjects(place, tracker);
  const [found, setFound] = useState<readonly FoundIssue[] | null>(null);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get('text') ?? '');
    run(
      () => findTrackerIssuesAction(place, { trackerId: tracker.id, projectId: projects.projectId, text }),
      (issues) => {
        setFound(issues);
        return null;
      },
    );
  }

  return (
    <form onSubmit={submit} className="space-y-3 border-t pt-3">
      <TrackerProject state={projects} tracker={tracker} />
      <div className="flex items-end gap-2">
        <TextField
          name="text"
          label="Search by title"
          autoComplete="off"
          maxLength={200}
          className="min-w-0 flex-1"
        />
        <Button type="submit" disabled={isSearching || projects.projectId === ''}>
          {isSearching ? 'Searching…' : 'Search'}
        </Button>
      </div>
      <div aria-live="polite">
        {found?.length === 0 ? <p className="text-sm text-text-muted">No matching issues.</p> : null}
        {found && found.length > 0 ? (
          <ul className="divide-y rounded-md border">
            {found.map(({ key, title, stateName }) => (
              <li key={key} className="flex items-center gap-2 px-2.5 py-1.5 text-sm">
                <span className="min-w-0 flex-1">
                  <bdi className="break-anything">{title}</bdi>
                  <span className="block text-text-muted text-xs">
                    <bdi>{key}</bdi>, <bdi>{stateName}</bdi>
                  </span>
                </span>
                <Button size="sm" disabled={isPending} aria-label={`Link ${key}`} onClick={() => onLink(key)}>
                  Link
                </Button>
              </li>
            ))}
          </ul>
        ) : null}
      </div>
    </form>
  );
}
