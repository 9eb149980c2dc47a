import type { IssueRecord } from '../../issue-records.ts';
import { numberOf, textOf, timeOf } from '../foreign-values.ts';
import { type JsonObject, objectOf } from '../json-values.ts';

type State = Pick<IssueRecord, 'status' | 'resolution' | 'archive'>;

/** What Sentry called ignored, and muted before that, is archived. */
const ARCHIVED: ReadonlySet<unknown> = new Set(['ignored', 'archived', 'muted']);

/**
 * Of `status`, `substatus` and `statusDetails`.
 * Source of the fields: https://docs.sentry.io/api/events/update-an-issue/
 */
export function issueState(issue: JsonObject): State {
  const details = objectOf(issue.statusDetails) ?? {};
  if (issue.status === 'resolved' || issue.status === 'resolvedInNextRelease') {
    return { status: 'resolved', resolution: resolutionOf(details, issue), archive: null };
  }
  if (ARCHIVED.has(issue.status)) {
    return { status: 'archived', resolution: null, archive: conditionOf(details, issue.substatus) };
  }
  return { status: 'unresolved', resolution: null, archive: null };
}

function resolutionOf(details: JsonObject, issue: JsonObject): State['resolution'] {
  const commit = objectOf(details.inCommit);
  const id = textOf(commit?.id) ?? textOf(commit?.commit);
  const repository = textOf(objectOf(commit?.repository)?.name) ?? textOf(commit?.repository);
  if (id !== null && repository !== null) return { kind: 'commit', repository, commit: id };
  const release = textOf(details.inRelease);
  if (release !== null) return { kind: 'release', release };
  const after = textOf(objectOf(issue.lastRelease)?.version);
  return details.inNextRelease === true && after !== null ? { kind: 'next_release', after } : { kind: 'now' };
}

/** Counts are what is still to come of them, and windows are minutes. */
function conditionOf(details: JsonObject, substatus: unknown): State['archive'] {
  const windowOf = (minutes: unknown) => numberOf(minutes) || null;
  const events = numberOf(details.ignoreCount);
  if (events > 0) return { kind: 'events', count: events, windowMinutes: windowOf(details.ignoreWindow) };
  const users = numberOf(details.ignoreUserCount);
  if (users > 0) return { kind: 'users', count: users, windowMinutes: windowOf(details.ignoreUserWindow) };
  const until = timeOf(details.ignoreUntil);
  if (until !== null) return { kind: 'date', until };
  return { kind: substatus === 'archived_until_escalating' ? 'escalating' : 'forever' };
}
