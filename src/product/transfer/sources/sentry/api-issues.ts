import { ISSUE_PRIORITIES, ISSUE_SUBSTATUSES } from '#domain/issues/issue.ts';
import { HOUR_MS } from '#lib/time.ts';
import type { IssueRecord } from '../../issue-records.ts';
import type { ReadOptions } from '../../transfer-source.ts';
import { numberOf, textOf, timeOf } from '../foreign-values.ts';
import { arrayOf, type JsonObject, objectOf, objectsOf } from '../json-values.ts';
import { levelOf } from '../levels.ts';
import { emailOf } from '../people.ts';
import type { StepItem } from '../read-steps.ts';
import { activitiesOf } from './activity-records.ts';
import { type ApiOrganization, ifThere } from './api-organization.ts';
import { pagesOf, projectsAfter } from './api-pages.ts';
import type { SentryRequests } from './api-requests.ts';
import { issueState } from './issue-state.ts';
import type { SentryApi } from './sentry-api.ts';

/** Issues of all statuses by project, the newest first; each costs a request for its history. A `mark` follows each page. */
export async function* readIssues(
  api: SentryApi,
  requests: SentryRequests,
  { projects, people }: ApiOrganization,
  { progress }: Pick<ReadOptions, 'progress'>,
  after: string | null,
): AsyncGenerator<StepItem> {
  for (const { id, slug, from } of projectsAfter(projects, after)) {
    let read = 0;
    for await (const { rows, next } of pagesOf(api, requests.issues(id), from)) {
      for (const issue of objectsOf(rows)) {
        const activity = await readActivity(api, requests, String(issue.id));
        yield issueOf(issue, id, activity, people);
      }
      read += rows.length;
      progress(`issues of ${slug}: ${read}`);
      if (next !== null) yield { kind: 'mark', after: `${id}|${next}` };
    }
  }
}

/** Empty where the server tells none. */
async function readActivity(
  api: SentryApi,
  requests: SentryRequests,
  issueId: string,
): Promise<readonly JsonObject[]> {
  for (const request of requests.activities(issueId)) {
    const detail = await ifThere(() => api.get(request));
    if (detail !== null) return objectsOf(objectOf(detail)?.activity);
  }
  return [];
}

function issueOf(
  issue: JsonObject,
  project: string,
  activity: readonly JsonObject[],
  people: ApiOrganization['people'],
): IssueRecord {
  const metadata = objectOf(issue.metadata) ?? {};
  const firstSeen = timeOf(issue.firstSeen) ?? new Date(0).toISOString();
  const activities = activitiesOf(activity, people);
  const state = issueState(issue);
  return {
    kind: 'issue',
    id: String(issue.id),
    project,
    shortId: textOf(issue.shortId),
    title: textOf(issue.title, 10_000) ?? '',
    culprit: textOf(issue.culprit, 10_000) ?? '',
    level: levelOf(issue.level),
    platform: textOf(issue.platform),
    type: textOf(issue.type) ?? 'error',
    metadata: { ...metadata },
    logger: textOf(issue.logger),
    ...state,
    substatus: ISSUE_SUBSTATUSES.find((substatus) => substatus === issue.substatus) ?? null,
    statusAt:
      activities.findLast(({ type }) => type.startsWith('set_') && type !== 'set_priority')?.at ?? null,
    // One that nobody chose is found anew here.
    priority:
      timeOf(issue.priorityLockedAt) === null
        ? null
        : (ISSUE_PRIORITIES.find((priority) => priority === issue.priority) ?? null),
    assignee: assigneeOf(objectOf(issue.assignedTo), people),
    firstSeen,
    lastSeen: timeOf(issue.lastSeen) ?? firstSeen,
    timesSeen: numberOf(issue.count),
    firstRelease: textOf(objectOf(issue.firstRelease)?.version),
    lastRelease: textOf(objectOf(issue.lastRelease)?.version),
    counts: countsOf(objectOf(issue.stats)),
    activities,
    hashes: [],
    subscribers: [],
    bookmarkedBy: [],
    links: objectsOf(issue.annotations).flatMap(({ url, displayName }) => {
      const address = URL.parse(String(url ?? ''));
      return address ? [{ url: address.href, title: textOf(displayName) ?? address.href }] : [];
    }),
  };
}

function assigneeOf(
  assigned: JsonObject | undefined,
  people: ApiOrganization['people'],
): IssueRecord['assignee'] {
  if (!assigned) return null;
  const id = String(assigned.id);
  if (assigned.type === 'team') return people.hasTeam(id) ? { kind: 'team', team: id } : null;
  const email = emailOf(assigned.email) ?? people.emailOf(id);
  return email === null ? null : { kind: 'user', email };
}

/** Counts of hours for 24 hours, or of days for longer: `{ "24h": [[1700000000, 3]] }`. */
function countsOf(stats: JsonObject | undefined): IssueRecord['counts'] {
  const [longest] = Object.values(stats ?? {}).toSorted((a, b) => arrayOf(b).length - arrayOf(a).length);
  const points = arrayOf(longest).filter((point): point is readonly [number, number] => Array.isArray(point));
  const [one, two] = points;
  const minutes = one && two ? Math.round((two[0] - one[0]) / 60) : HOUR_MS / 60_000;
  if (minutes <= 0) return [];
  return points.flatMap(([second, events]) => {
    const at = timeOf(numberOf(second) * 1_000);
    return at === null || numberOf(events) <= 0 ? [] : [{ at, minutes, events: numberOf(events) }];
  });
}
