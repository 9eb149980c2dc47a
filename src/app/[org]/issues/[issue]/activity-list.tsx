import {
  Link2,
  Link2Off,
  Mail,
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
import type { Member } from '#domain/people.ts';
import { shortenHashes } from '#lib/shorten-hashes.ts';
import type { Team } from '#product/teams/team-store.ts';
import { RelativeTime } from '#ui/relative-time.tsx';
import { CommentEntry } from './comments/comment-form.tsx';
import { readComment } from './comments/read-comment.ts';
import { ReplyEntry } from './event/reply-entry.tsx';
import { isStatusActivity, STATUS_APPEARANCE } from './status-activity.tsx';
import { StatusActivityDetails } from './status-details.tsx';

/** What happened to the issue, newest first. `hasMore` when the list goes on: then the start is on a later page. */
export function ActivityList({
  issue,
  activity,
  names,
  now,
  organizationSlug,
  userId,
  canComment,
  canReply,
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
  /** By email. */
  canReply: boolean;
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
          {entry.type === 'reply' ? (
            <ReplyEntry place={place} reply={entry} canResend={canReply} now={now} />
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
  reply: { icon: <Mail />, words: 'replied by email', alone: 'Reply by email of a deleted user' },
  linked: { icon: <Link2 />, words: 'linked this issue to', alone: 'Linked to' },
  unlinked: { icon: <Link2Off />, words: 'removed the link to', alone: 'Link removed:' },
  shared: { icon: <Share2 />, words: 'shared this issue publicly', alone: 'Shared publicly' },
  merge: { icon: <Merge />, words: 'merged into this issue:', alone: 'Merged into this issue:' },
  unmerge_source: { icon: <Split />, words: 'unmerged part of this issue into', alone: 'Unmerged into' },
  unmerge_destination: { icon: <Split />, words: 'unmerged this issue from', alone: 'Unmerged from' },
  unshared: { icon: <Share2 />, words: 'stopped sharing this issue', alone: 'No longer shared' },
};

/** How people and teams are called, by id; those that are gone are missing. */
type ActivityNames = {
  users: ReadonlyMap<string, string>;
  /** By id: the slug. */
  teams: ReadonlyMap<number, string>;
};

/** Release, person or address that an entry names, when it names one. */
function ActivityDetails({ entry, names }: { entry: Activity; names: ActivityNames }) {
  if (isStatusActivity(entry.type)) return <StatusActivityDetails entry={entry} />;
  switch (entry.type) {
    case 'first_seen':
      return <FirstRelease release={entry.data.release} />;
    case 'assigned':
      return (
        <>
          <AssigneeName entry={entry} names={names} />
          <RuleName rule={entry.data.rule} />
        </>
      );
    case 'linked':
    case 'unlinked':
      return (
        <>
          {' '}
          <bdi title={String(entry.data.url ?? '')}>{String(entry.data.title ?? entry.data.url ?? '')}</bdi>
        </>
      );
    case 'merge':
      return <> {mergedNames(entry.data)}</>;
    case 'unmerge_source':
    case 'unmerge_destination':
      return <> {String(entry.data.shortId ?? 'a deleted issue')}</>;
    default:
      return null;
  }
}

const MERGED_SHOWN = 5;

/** Short ids of what was merged, as far as they are kept. */
function mergedNames({ issues, count }: Activity['data']): string {
  const names = (Array.isArray(issues) ? (issues as readonly { shortId?: unknown }[]) : [])
    .slice(0, MERGED_SHOWN)
    .map(({ shortId }) => String(shortId));
  const rest = Number(count) - names.length;
  return rest > 0 ? `${names.join(', ')} and ${rest} more` : names.join(', ');
}

function FirstRelease({ release }: { release: unknown }) {
  if (typeof release !== 'string' || release === '') return null;
  return (
    <>
      {' in '}
      <bdi title={release}>{shortenHashes(release)}</bdi>
    </>
  );
}

function AssigneeName({ entry, names }: { entry: Activity; names: ActivityNames }) {
  const { assigneeUserId, assigneeTeamId } = entry.data;
  if (typeof assigneeTeamId === 'number') {
    const slug = names.teams.get(assigneeTeamId);
    return slug === undefined ? ' to a team' : ` to #${slug}`;
  }
  if (typeof assigneeUserId !== 'string') return null;
  if (assigneeUserId === entry.user?.id) return ' to themselves';
  const name = names.users.get(assigneeUserId);
  if (name === undefined) return null;
  return (
    <>
      {' to '}
      <bdi>{name}</bdi>
    </>
  );
}

/** Why it was assigned, when a rule did it. */
function RuleName({ rule }: { rule: unknown }) {
  if (typeof rule !== 'object' || rule === null) return null;
  const { source, line, text } = rule as { source?: unknown; line?: unknown; text?: unknown };
  return (
    <span title={String(text ?? '')}>
      {' '}
      by line {String(line)} of {source === 'codeowners' ? 'the CODEOWNERS file' : 'the ownership rules'}
    </span>
  );
}

/** How those are called that an activity can name. */
export const activityNames = (everybody: {
  members: readonly Member[];
  teams: readonly Team[];
}): ActivityNames => ({
  users: new Map(everybody.members.map(({ id, name, email }) => [id, name || email])),
  teams: new Map(everybody.teams.map(({ id, slug }) => [id, slug])),
});
