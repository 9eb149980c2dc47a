import type { Issue } from '#domain/issues/issue.ts';
import { visibleStart, visibleText } from '#lib/visible-text.ts';
import type { IssueActivity } from '#storage/ports/events.ts';
import { triagedIssueOf } from './triaged-issue.ts';

export type IssueRowView = ReturnType<typeof issueRowView>;

/** Longest text of a row; the page of the issue shows everything. */
const ROW_TEXT_CHARACTERS_MAX = 300;

/** What a row of the stream shows of an issue. */
export function issueRowView(issue: Issue & { activity: IssueActivity | null }, isFiltered: boolean) {
  const { activity, projectSlug, level, platform, lastRelease, timesSeen } = issue;
  return {
    ...triagedIssueOf(issue),
    projectSlug,
    ...issueTitle(issue),
    /** Where it happened: the function and its file, else what the SDK calls the place. */
    place: placeOf(issue),
    level,
    platform,
    lastRelease: lastRelease && visibleText(lastRelease),
    /** Of the events that are counted, where these are not all. */
    lastSeen: (isFiltered && activity?.lastSeen) || issue.lastSeen,
    firstSeen: (isFiltered && activity?.firstSeen) || issue.firstSeen,
    timesSeen,
    /** null when the event store is unavailable. */
    activity: activity && { buckets: activity.buckets, events: activity.events, users: activity.users },
  };
}

function placeOf({ metadata, culprit }: Pick<Issue, 'metadata' | 'culprit'>): string {
  const { function: name, filename } = metadata;
  if (name && filename) return shorten(`${name} in ${filename}`);
  return shorten(culprit || filename || name || '');
}

/** The type of the exception, or the whole title of a message, and what follows it. The heading is never empty. */
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
