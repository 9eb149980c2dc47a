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
import type { Activity, ActivityType, Issue } from '#domain/issues/issue.ts';
import { RelativeTime } from '#ui/relative-time.tsx';
import { ActivityDetails, type ActivityNames } from './activity-details.tsx';
import { CommentEntry } from './comments/comment-entry.tsx';
import { readComment } from './comments/read-comment.ts';
import { STATUS_APPEARANCE } from './status-activity.tsx';

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
          icon={APPEARANCE[entry.type].icon}
          // Events may arrive late: the first one to arrive is not always the first one that happened.
          at={entry.type === 'first_seen' ? issue.firstSeen : entry.at}
          now={now}
        >
          {entry.user ? (
            <>
              <bdi className="font-medium text-text">{entry.user.name}</bdi> {APPEARANCE[entry.type].words}
            </>
          ) : (
            APPEARANCE[entry.type].alone
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
        <Entry icon={APPEARANCE.first_seen.icon} at={issue.firstSeen} now={now}>
          {APPEARANCE.first_seen.alone}
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
        variant="short"
        className="numbers shrink-0 text-text-faint text-xs leading-5"
      />
    </li>
  );
}

const APPEARANCE: Record<ActivityType, { icon: ReactNode; words: string; alone: string }> = {
  first_seen: { icon: <Sparkles />, words: 'sent the first event', alone: 'First seen' },
  ...STATUS_APPEARANCE,
  assigned: { icon: <UserPlus />, words: 'assigned this issue', alone: 'Assigned' },
  unassigned: { icon: <UserMinus />, words: 'unassigned this issue', alone: 'Unassigned' },
  note: { icon: <MessageSquare />, words: 'wrote', alone: 'Comment by a deleted user' },
  linked: { icon: <Link2 />, words: 'linked this issue to', alone: 'Linked to' },
  unlinked: { icon: <Link2Off />, words: 'removed the link to', alone: 'Link removed:' },
  shared: { icon: <Share2 />, words: 'shared this issue publicly', alone: 'Shared publicly' },
  merge: { icon: <Merge />, words: 'merged into this issue:', alone: 'Merged into this issue:' },
  unmerge_source: { icon: <Split />, words: 'unmerged part of this issue into', alone: 'Unmerged into' },
  unmerge_destination: { icon: <Split />, words: 'unmerged this issue from', alone: 'Unmerged from' },
  unshared: { icon: <Share2 />, words: 'stopped sharing this issue', alone: 'No longer shared' },
};
