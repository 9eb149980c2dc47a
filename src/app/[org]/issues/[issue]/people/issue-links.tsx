'use client';

import { ExternalLink, X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { TextField } from '#ui/field.tsx';
import type { IssuePlace } from './on-issue.ts';
import { addLinkAction, removeLinkAction } from './people-actions.ts';
import { useIssueAction } from './use-issue-action.ts';

export type LinkView = { id: number; url: string; title: string; host: string };

export function LinkList({
  place,
  links,
  canChange,
}: {
  place: IssuePlace;
  links: readonly LinkView[];
  canChange: boolean;
}) {
  const { run, isPending } = useIssueAction();
  return (
    <ul className="space-y-1.5">
      {links.map(({ id, url, title, host }) => (
        <li key={id} className="flex items-center gap-2 text-sm">
          <ExternalLink aria-hidden className="size-3.5 shrink-0 text-text-muted" />
          <a
            href={url}
            target="_blank"
            rel="noopener noreferrer nofollow"
            title={url}
            className="min-w-0 flex-1 truncate text-accent underline-offset-2 hover:underline"
          >
            <bdi>{title}</bdi>
            {title.includes(host) ? null : <span className="text-text-muted"> · {host}</span>}
          </a>
          {canChange ? (
            <Button
              size="sm"
              variant="ghost"
              iconOnly
              disabled={isPending}
              aria-label={`Remove the link to ${title}`}
              onClick={() =>
                run(
                  () => removeLinkAction(place, id),
                  () => ({
                    title: 'Link removed',
                    action: {
                      label: 'Undo',
                      onSelect: () => run(() => addLinkAction(place, { url, title })),
                    },
                  }),
                )
              }
            >
              <X aria-hidden className="size-3.5" />
            </Button>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

/** Folded until it is needed. */
export function LinkForm({ place, hasLinks }: { place: IssuePlace; hasLinks: boolean }) {
  const { run, isPending } = useIssueAction();
  const [isOpen, setOpen] = useState(false);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const link = { url: String(form.get('url') ?? ''), title: String(form.get('title') ?? '') };
    run(
      () => addLinkAction(place, link),
      () => {
        setOpen(false);
        return { title: 'Linked' };
      },
    );
  }

  if (!isOpen) {
    return (
      <Button size="sm" className={hasLinks ? 'mt-3' : undefined} onClick={() => setOpen(true)}>
        Link an issue
      </Button>
    );
  }
  return (
    <form onSubmit={submit} className={hasLinks ? 'mt-3 space-y-3' : 'space-y-3'}>
      <TextField
        name="url"
        type="url"
        label="Address"
        placeholder="https://github.com/acme/web/issues/12"
        autoComplete="off"
        maxLength={2_000}
        required
        // The person has just asked for it.
        autoFocus
      />
      <TextField name="title" label="Title" hint="Left empty, it is made of the address." maxLength={200} />
      <div className="flex gap-2">
        <Button type="submit" size="sm" variant="primary" disabled={isPending}>
          {isPending ? 'Linking…' : 'Link'}
        </Button>
        <Button size="sm" variant="ghost" onClick={() => setOpen(false)}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
