import { Archive, Check, CircleDot, RotateCcw, Sparkles, UserMinus, UserPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Activity, ActivityType, Issue } from '#storage/ports/issues.ts';
import { Card } from '#ui/card.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

/** What happened to the issue, newest first. */
export function ActivityList({
  issue,
  activity,
  now,
}: {
  issue: Issue;
  activity: readonly Activity[];
  now: number;
}) {
  const hasStart = activity.some((entry) => entry.type === 'first_seen');
  return (
    <Card id="activity" title="Activity">
      <ol className="space-y-3">
        {activity.map((entry) => (
          <Entry
            key={entry.id}
            icon={LOOKS[entry.type].icon}
            // Events may arrive late: the first one to arrive is not always the first one that happened.
            at={entry.type === 'first_seen' ? issue.firstSeen : entry.at}
            now={now}
          >
            {entry.user ? (
              <>
                <bdi className="font-medium text-text">{entry.user.name}</bdi> {LOOKS[entry.type].words}
              </>
            ) : (
              LOOKS[entry.type].alone
            )}
            <Details entry={entry} issue={issue} />
          </Entry>
        ))}
        {hasStart ? null : (
          <Entry icon={LOOKS.first_seen.icon} at={issue.firstSeen} now={now}>
            {LOOKS.first_seen.alone}
          </Entry>
        )}
      </ol>
    </Card>
  );
}

function Entry({
  icon,
  at,
  now,
  children,
}: {
  icon: ReactNode;
  at: number;
  now: number;
  children: ReactNode;
}) {
  return (
    <li className="flex items-start gap-2.5 text-sm">
      <span
        aria-hidden
        className="mt-px grid size-5 shrink-0 place-items-center rounded-full bg-surface-pressed text-text-muted [&_svg]:size-3"
      >
        {icon}
      </span>
      <span className="break-anything flex-1 text-text-muted">{children}</span>
      <RelativeTime
        at={at}
        now={now}
        look="short"
        className="numbers shrink-0 text-text-faint text-xs leading-5"
      />
    </li>
  );
}

/** Release or person that the entry names, when it names one. */
function Details({ entry, issue }: { entry: Activity; issue: Issue }) {
  const release = entry.data.release ?? entry.data.version;
  if (typeof release === 'string' && release) {
    return (
      <>
        {' in '}
        <bdi>{release}</bdi>
      </>
    );
  }
  if (entry.type === 'assigned' && entry.data.assigneeUserId === entry.user?.id) return ' to themselves';
  if (entry.type === 'assigned' && entry.data.assigneeUserId === issue.assignee?.userId) {
    return (
      <>
        {' to '}
        <bdi>{issue.assignee?.name}</bdi>
      </>
    );
  }
  return null;
}

const LOOKS: Record<ActivityType, { icon: ReactNode; words: string; alone: string }> = {
  first_seen: { icon: <Sparkles />, words: 'sent the first event', alone: 'First seen' },
  set_resolved: { icon: <Check />, words: 'resolved it', alone: 'Resolved' },
  set_unresolved: { icon: <RotateCcw />, words: 'marked it as unresolved', alone: 'Unresolved again' },
  set_archived: { icon: <Archive />, words: 'archived it', alone: 'Archived' },
  set_regression: {
    icon: <RotateCcw />,
    words: 'saw it again',
    alone: 'Regressed: it happened again after it was resolved',
  },
  assigned: { icon: <UserPlus />, words: 'assigned it', alone: 'Assigned' },
  unassigned: { icon: <UserMinus />, words: 'unassigned it', alone: 'Unassigned' },
  auto_set_ongoing: { icon: <CircleDot />, words: 'set it to ongoing', alone: 'Ongoing: it is a week old' },
};
