import type { Activity, Issue } from '#domain/issues/issue.ts';
import { DAY_MS } from '#lib/time.ts';
import { eventScope } from '#product/visible-projects.ts';
import { ACTIVITY_TYPES, type IssueRecord, type TransferActivity } from '../issue-records.ts';
import type { IssueExtras } from '../store/export-store.ts';
import { EXPORT_PAGE, type ExportScope, timeOf, timeOrNull } from './export-scope.ts';

/** Days of which the events of an issue are counted. */
const COUNTED_DAYS = 90;
const COUNTED_MINUTES = 24 * 60;
/** Of a page of issues. */
const ACTIVITIES_MAX = 200_000;
/** What the importer knows how to keep. */
const KEPT_TYPES: ReadonlySet<string> = new Set(ACTIVITY_TYPES);

export async function* exportIssues(scope: ExportScope): AsyncGenerator<IssueRecord> {
  const { ctx, projects, options } = scope;
  const { exports } = ctx.stores;
  const organizationId = ctx.organization.id;
  const projectIds = projects.map(({ id }) => id);
  for (let after = 0, done = 0; ; ) {
    options.signal.throwIfAborted();
    const page = await exports.listIssues(organizationId, projectIds, after, EXPORT_PAGE);
    const last = page.at(-1);
    if (!last) return;
    const ids = page.map(({ id }) => id);
    const [extras, activities] = await Promise.all([
      exports.listExtras(organizationId, ids),
      exports.listActivities(organizationId, ids, ACTIVITIES_MAX),
    ]);
    const extrasOf = new Map(extras.map((one) => [one.issueId, one]));
    const activitiesOf = Map.groupBy(activities, ({ issueId }) => issueId);
    const counts = await countEvents(scope, page, extrasOf);
    for (const issue of page) {
      const own = extrasOf.get(issue.id);
      if (!own) continue;
      yield describeIssue(scope, issue, own, activitiesOf.get(issue.id) ?? [], counts.get(issue.id) ?? []);
    }
    after = last.id;
    done += page.length;
    options.progress(`issues: ${done.toLocaleString('en')}`);
  }
}

/** By day, days without any left out. */
async function countEvents(
  { ctx, projects }: ExportScope,
  issues: readonly Issue[],
  extras: ReadonlyMap<number, IssueExtras>,
): Promise<ReadonlyMap<number, IssueRecord['counts']>> {
  const today = Math.floor(ctx.now() / DAY_MS) * DAY_MS;
  const range = { fromMs: today - (COUNTED_DAYS - 1) * DAY_MS, toMs: today + DAY_MS };
  const activity = await ctx.stores.events.countActivity(
    eventScope(ctx, projects),
    issues.map(({ id, projectId }) => ({ issueId: id, projectId, hashes: extras.get(id)?.hashes ?? [] })),
    range,
    DAY_MS,
  );
  return new Map(
    activity.map(({ issueId, buckets }) => [
      issueId,
      buckets.flatMap((events, index) =>
        events === 0 ? [] : [{ at: timeOf(range.fromMs + index * DAY_MS), minutes: COUNTED_MINUTES, events }],
      ),
    ]),
  );
}

function describeIssue(
  scope: ExportScope,
  issue: Issue,
  { hashes, subscribers, bookmarkedBy, links }: IssueExtras,
  activities: readonly Activity[],
  counts: IssueRecord['counts'],
): IssueRecord {
  const { id, projectId, shortId, title, culprit, level, platform, type, metadata, logger } = issue;
  const { status, substatus, resolution, archive } = issue;
  const condition = archive?.condition ?? null;
  return {
    kind: 'issue',
    id: String(id),
    project: String(projectId),
    shortId,
    title,
    culprit,
    level,
    platform: platform || null,
    type,
    metadata: { ...metadata },
    logger: logger || null,
    status,
    substatus,
    statusAt: timeOrNull(issue.resolvedAt ?? issue.substatusAt ?? archive?.archivedAt ?? null),
    resolution,
    archive: condition?.kind === 'date' ? { kind: 'date', until: timeOf(condition.untilMs) } : condition,
    priority: issue.priorityLockedAt === null ? null : issue.priority,
    assignee: ownerOf(issue),
    firstSeen: timeOf(issue.firstSeen),
    lastSeen: timeOf(issue.lastSeen),
    timesSeen: issue.timesSeen,
    firstRelease: issue.firstRelease,
    lastRelease: issue.lastRelease,
    counts,
    activities: activities.flatMap((activity) => describeActivity(scope, activity)),
    hashes: [...hashes],
    subscribers: [...subscribers],
    bookmarkedBy: [...bookmarkedBy],
    links: [...links],
  };
}

function ownerOf({ assignee, assigneeTeam }: Issue): IssueRecord['assignee'] {
  if (assignee) return { kind: 'user', email: assignee.email };
  return assigneeTeam && { kind: 'team', team: String(assigneeTeam.teamId) };
}

/** Numbers of people and teams mean nothing elsewhere: an assignment names them as records do. */
function describeActivity(
  { emails }: ExportScope,
  { id, type, user, at, data }: Activity,
): TransferActivity[] {
  if (!KEPT_TYPES.has(type)) return [];
  const { assigneeUserId, assigneeTeamId, mentions: _mentions, ...rest } = data;
  const email = typeof assigneeUserId === 'string' ? emails.get(assigneeUserId) : undefined;
  return [
    {
      id: String(id),
      type: type as TransferActivity['type'],
      person: user && { email: emails.get(user.id) ?? null, name: user.name },
      at: timeOf(at),
      data: {
        ...rest,
        ...(email !== undefined && { email }),
        ...(typeof assigneeTeamId === 'number' && { team: String(assigneeTeamId) }),
      },
    },
  ];
}
