import type { GroupingChange } from '#product/grouping/grouping-change.ts';
import { formatExact, formatPlural } from '#ui/format-number.ts';
import { RelativeTime } from '#ui/relative-time.tsx';
import { UndoChange } from './grouping-change-buttons.tsx';

/** Changes of the grouping, newest first, each with its way back. */
export function ChangeList({
  changes,
  organizationSlug,
  now,
  canUndo,
}: {
  changes: readonly GroupingChange[];
  organizationSlug: string;
  now: number;
  canUndo: (change: GroupingChange) => boolean;
}) {
  return (
    <ol className="divide-y">
      {changes.map((change) => (
        <li
          key={change.id}
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-2.5"
        >
          <div className="min-w-0 text-sm">
            <p className="font-medium">{changeLabel(change)}</p>
            <p className="text-text-muted text-xs">
              {change.user ? <bdi>{change.user.name}</bdi> : 'Deleted user'},{' '}
              <RelativeTime at={change.createdAt} now={now} />
              {change.undoneAt ? (
                <>
                  {' '}
                  · undone <RelativeTime at={change.undoneAt} now={now} />
                </>
              ) : null}
              {change.state === 'cancelled' ? ' · canceled, no changes' : null}
            </p>
          </div>
          {change.state === 'done' && change.kind !== 'reprocess' && canUndo(change) ? (
            <UndoChange organizationSlug={organizationSlug} changeId={change.id} />
          ) : null}
        </li>
      ))}
    </ol>
  );
}

export function changeLabel({
  kind,
  issuesBefore,
  issuesAfter,
  eventsMoved,
  rulesVersion,
}: GroupingChange): string {
  if (kind === 'merge') return `${formatPlural(issuesBefore, 'issue')} merged into one`;
  if (kind === 'unmerge') return 'Hashes unmerged into a new issue';
  if (kind === 'reprocess') {
    return `Uploads applied to stored events: ${formatExact(issuesBefore)} → ${formatPlural(issuesAfter, 'issue')}, ${formatPlural(eventsMoved, 'event')} regrouped`;
  }
  return `Rules version ${rulesVersion} applied to existing issues: ${formatExact(issuesBefore)} → ${formatPlural(issuesAfter, 'issue')}, ${formatPlural(eventsMoved, 'event')} regrouped`;
}
