import {
  Link2,
  Link2Off,
  Merge,
  MessageSquare,
  Share2,
  Sparkles,
  Split,
  UserMinus,
  UserPlus,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { Activity, ActivityType, Issue } from '#storage/ports/issues.ts';
import { RelativeTime } from '#ui/relative-time.tsx';
import { ActivityDetails, type ActivityNames } from './activity-details.tsx';
import { CommentEntry } from './comments/comment-entry.tsx';
import { readComment } from './comments/read-comment.ts';
import { LIFE_LOOKS } from './life-activity.tsx';

/** What happened to the issue, newest first. `hasMore` when the list goes on: then the start is on a later page. */
export function ActivityList({
  issue,
  activity,
  names,
  now,
  organizationSlug,
  userId,
  canComment,
  hasMore = false,
}: {
  issue: Issue;
  activity: readonly Activity[];
  names: ActivityNames;
  now: number;
  organizationSlug: string;
  /** Of whoever reads; null for nobody in particular. */
  userId: string | null;
  canComment: boolean;
  hasMore?: boolean;
}) {
  const place = { organizationSlug, shortId: issue.shortId };
  const hasStart = hasMore || activity.some((entry) => entry.type === 'first_seen');
  return (
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
          <ActivityDetails entry={entry} names={names} />
          {entry.type === 'note' ? (
            <CommentEntry
              place={place}
              comment={readComment(entry)}
              canChange={canComment && entry.user !== null && entry.user.id === userId}
            />
          ) : null}
        </Entry>
      ))}
      {hasStart ? null : (
        <Entry icon={LOOKS.first_seen.icon} at={issue.firstSeen} now={now}>
          {LOOKS.first_seen.alone}
        </Entry>
      )}
    </ol>
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
      <div className="break-anything min-w-0 flex-1 text-text-muted">{children}</div>
      <RelativeTime
        at={at}
        now={now}
        look="short"
        className="numbers shrink-0 text-text-faint text-xs leading-5"
      />
    </li>
  );
}

const LOOKS: Record<ActivityType, { icon: ReactNode; words: string; alone: string }> = {
  first_seen: { icon: <Sparkles />, words: 'sent the first event', alone: 'First seen' },
  ...LIFE_LOOKS,
  assigned: { icon: <UserPlus />, words: 'assigned it', alone: 'Assigned' },
  unassigned: { icon: <UserMinus />, words: 'unassigned it', alone: 'Unassigned' },
  note: { icon: <MessageSquare />, words: 'wrote', alone: 'A comment of somebody who is gone' },
  linked: { icon: <Link2 />, words: 'linked it to', alone: 'Linked to' },
  unlinked: { icon: <Link2Off />, words: 'removed the link to', alone: 'No longer linked to' },
  shared: { icon: <Share2 />, words: 'shared it publicly', alone: 'Shared publicly' },
  merge: { icon: <Merge />, words: 'merged into it:', alone: 'Merged into it:' },
  unmerge_source: { icon: <Split />, words: 'split a part off, into', alone: 'A part was split off, into' },
  unmerge_destination: { icon: <Split />, words: 'split it off', alone: 'Split off' },
  unshared: { icon: <Share2 />, words: 'stopped sharing it', alone: 'No longer shared' },
};
