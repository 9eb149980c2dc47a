import type { Activity, Issue } from '#domain/issues/issue.ts';
import type { Context } from '#product/context.ts';
import type { ReplyDelivery } from '#product/deliveries/delivery.ts';
import type { IssueRow } from '#product/issues/list-issues.ts';
import { moment } from './answer.ts';

/** What the columns of `issueRow` are. */
export const ISSUE_COLUMNS =
  'Each row: short id | state | level | priority | events and users of the period (total) | first seen | last seen | project | assignee | title | culprit';

export function issueRow(issue: Issue, activity: IssueRow['activity'] = null): string {
  const counted = activity ? `${activity.events} events, ${activity.users} users ` : '';
  return [
    issue.shortId,
    stateOf(issue),
    issue.level,
    issue.priority,
    `${counted}(${issue.timesSeen} events)`,
    moment(issue.firstSeen),
    moment(issue.lastSeen),
    issue.projectSlug,
    assigneeOf(issue),
    issue.title,
    issue.culprit,
  ].join(' | ');
}

/** `unresolved, new`; `resolved in web@2`; `archived, archived until escalating`. */
export function stateOf({ status, substatus, resolution }: Issue): string {
  const detail =
    resolution?.kind === 'release'
      ? ` in ${resolution.release}`
      : resolution?.kind === 'next_release'
        ? ` in the release after ${resolution.after}`
        : resolution?.kind === 'commit'
          ? ` in commit ${resolution.commit} of ${resolution.repository}`
          : '';
  return `${status}${detail}${substatus ? `, ${substatus.replaceAll('_', ' ')}` : ''}`;
}

/** `Ada <ada@example.com>`, `#team`, `none`. */
export function assigneeOf({ assignee, assigneeTeam }: Issue): string {
  if (assignee) return `${assignee.name} <${assignee.email}>`;
  return assigneeTeam ? `#${assigneeTeam.slug}` : 'none';
}

/** The address of the issue's page. */
export const issuePage = (
  { publicUrl, organization }: Pick<Context, 'publicUrl' | 'organization'>,
  { shortId }: Pick<Issue, 'shortId'>,
): string => `${publicUrl}/${organization.slug}/issues/${shortId}`;

/** `2026-01-31T12:00:00Z Ada set priority: priority=high`; of a comment its text. */
export function activityRow({ at, user, type, data }: Activity): string {
  const who = user?.name ?? 'Errata';
  if (type === 'note') return `${moment(at)} ${who} wrote: ${String(data.text ?? '')}`;
  if (type === 'reply') return `${moment(at)} ${who} ${replyText(data)}`;
  const details = Object.entries(data).map(([name, value]) => `${name}=${plain(value)}`);
  return `${moment(at)} ${who} ${type.replaceAll('_', ' ')}${details.length > 0 ? `: ${details.join(', ')}` : ''}`;
}

/** `replied by email to ana@example.com (failed: No such mailbox): Fixed` */
function replyText({ to, text, delivery }: Activity['data']): string {
  const { state, lastError } = (delivery ?? {}) as Partial<ReplyDelivery>;
  const result = [state, lastError].filter(Boolean).join(': ');
  return `replied by email to ${String(to)}${result && ` (${result})`}: ${String(text)}`;
}

const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
