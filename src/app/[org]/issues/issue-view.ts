import type {
  Archive,
  Issue,
  IssuePriority,
  IssueStatus,
  IssueSubstatus,
  Resolution,
} from '#domain/issues/issue.ts';
import { visibleStart, visibleText } from '#lib/visible-text.ts';
import type { Level } from '#protocol/event.ts';
import type { IssueActivity } from '#storage/ports/events.ts';

/** What a row of the stream shows of an issue. */
export type IssueRowView = {
  id: number;
  shortId: string;
  projectId: number;
  projectSlug: string;
  /** Bold: the exception's type, or the whole title of a message. */
  heading: string;
  /** What follows the heading; empty for messages. */
  message: string;
  culprit: string;
  level: Level;
  status: IssueStatus;
  substatus: IssueSubstatus | null;
  resolution: Resolution | null;
  archive: Archive | null;
  priority: IssuePriority;
  lastRelease: string | null;
  lastSeen: number;
  firstSeen: number;
  timesSeen: number;
  assignee: { userId: string; name: string } | null;
  /** null when the event store does not answer. */
  activity: { buckets: readonly number[]; events: number; users: number } | null;
};

/** Longest text of a row; the page of the issue shows everything. */
const ROW_TEXT_CHARACTERS_MAX = 300;

export function issueRowView(issue: Issue & { activity: IssueActivity | null }): IssueRowView {
  const { activity } = issue;
  return {
    id: issue.id,
    shortId: issue.shortId,
    projectId: issue.projectId,
    projectSlug: issue.projectSlug,
    ...issueTitle(issue),
    culprit: shorten(issue.culprit),
    level: issue.level,
    status: issue.status,
    substatus: issue.substatus,
    resolution: issue.resolution,
    archive: issue.archive,
    priority: issue.priority,
    lastRelease: issue.lastRelease && visibleText(issue.lastRelease),
    lastSeen: issue.lastSeen,
    firstSeen: issue.firstSeen,
    timesSeen: issue.timesSeen,
    assignee: issue.assignee && { userId: issue.assignee.userId, name: issue.assignee.name },
    activity: activity && { buckets: activity.buckets, events: activity.events, users: activity.users },
  };
}

/** The title in two parts. The heading is never empty. */
export function issueTitle(issue: Pick<Issue, 'title' | 'metadata'>): { heading: string; message: string } {
  const { type, value } = issue.metadata;
  if (type) return { heading: shorten(type), message: shorten(oneLine(value ?? '')) };
  return { heading: shorten(oneLine(issue.title)) || '(no title)', message: '' };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** As people can see all of it. */
function shorten(text: string): string {
  const start = visibleStart(text, ROW_TEXT_CHARACTERS_MAX);
  return text.length > ROW_TEXT_CHARACTERS_MAX ? `${start}…` : start;
}
