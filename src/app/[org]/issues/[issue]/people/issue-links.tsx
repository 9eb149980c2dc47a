'use client';

import { CircleCheck, ExternalLink, X } from 'lucide-react';
import { useState } from 'react';
import type { IssueLink } from '#product/issue-links/issue-link-store.ts';
import { Button } from '#ui/button.tsx';
import { onDemand, useOnDemand } from '#ui/on-demand/on-demand.ts';
import { addLinkAction, linkTrackerIssueAction, removeLinkAction } from './actions.ts';
import type { IssuePlace } from './on-issue.ts';
import type { TrackerChoice } from './tracker-project.tsx';
import { useIssueAction } from './use-issue-action.ts';

type LinkView = Pick<IssueLink, 'id' | 'url' | 'title'> & {
  host: string;
  /** The issue in a tracker; null for any other address. */
  tracked: { trackerId: number; reference: string } | null;
  /** As the tracker calls it; null when it is not known. */
  stateName: string | null;
  isClosed: boolean;
};

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
      {links.map(({ id, url, title, host, tracked, stateName, isClosed }) => (
        <li key={id} className="flex items-center gap-2 text-sm">
          {isClosed ? (
            <CircleCheck aria-hidden className="size-3.5 shrink-0 text-success" />
          ) : (
            <ExternalLink aria-hidden className="size-3.5 shrink-0 text-text-muted" />
          )}
          <a
            href={url}
            target="_blank"
            rel="noopener noreferrer nofollow"
            title={url}
            className="min-w-0 flex-1 truncate text-accent underline-offset-2 hover:underline"
          >
            <bdi>{title}</bdi>
            {title.includes(host) || stateName !== null ? null : (
              <span className="text-text-muted"> · {host}</span>
            )}
          </a>
          {stateName === null ? null : <bdi className="shrink-0 text-text-muted text-xs">{stateName}</bdi>}
          {canChange ? (
            <Button
              size="sm"
              variant="ghost"
              iconOnly
              disabled={isPending}
              aria-label={`Remove link to ${title}`}
              onClick={() =>
                run(
                  () => removeLinkAction(place, id),
                  () => ({
                    title: 'Link removed',
                    action: {
                      label: 'Undo',
                      onSelect: () =>
                        run<unknown>(() =>
                          tracked
                            ? linkTrackerIssueAction(place, tracked)
                            : addLinkAction(place, { url, title }),
                        ),
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

const linkForm = onDemand(() => import('./link-form.tsx'));

/** The button whose form is fetched when it is needed. */
export function LinkButton({
  place,
  trackers,
  hasLinks,
}: {
  place: IssuePlace;
  trackers: readonly TrackerChoice[];
  hasLinks: boolean;
}) {
  const [isOpen, setOpen] = useState(false);
  const form = useOnDemand(linkForm, isOpen, () => setOpen(false));
  return (
    <div className={hasLinks ? 'mt-3' : undefined}>
      {form && isOpen ? (
        <form.LinkForm place={place} trackers={trackers} onClose={() => setOpen(false)} />
      ) : (
        <Button size="sm" disabled={isOpen} onClick={() => setOpen(true)}>
          {trackers.length > 0 ? 'Create or link an issue' : 'Link an issue'}
        </Button>
      )}
    </div>
  );
}
