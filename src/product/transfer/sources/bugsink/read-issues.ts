import type { ForeignDatabase, ForeignRow } from '#storage/ports/foreign-database.ts';
import type { IssueRecord } from '../../issue-records.ts';
import { LIST_MAX } from '../../record-parts.ts';
import { hexOf, numberOf, textOf, timeOf } from '../foreign-values.ts';
import { levelOf } from '../levels.ts';
import { NIL_UUID, placeholders, readPages } from '../read-by-key.ts';
import type { StepItem } from '../read-steps.ts';
import type { BugsinkSchema } from './bugsink-schema.ts';
import { describeIssue, issueState, linesOf } from './issue-state.ts';
import type { BugsinkProject } from './read-structure.ts';
import { activitiesOf } from './turning-points.ts';

/** Each with its history and its counts of hours. */
const PAGE_ISSUES = 100;
const HOUR_MINUTES = 60;

/** Issues that are not being deleted, by ID. A `mark` follows each page. */
export async function* readIssues(
  database: ForeignDatabase,
  projects: readonly BugsinkProject[],
  schema: BugsinkSchema,
  after: string | null,
): AsyncGenerator<StepItem> {
  const bySlug = new Map(projects.map((project) => [project.id, project]));
  const pages = readPages(
    database,
    `SELECT issue.*, CAST(issue.id AS text) AS id_text,
       (SELECT event.level FROM events_event event WHERE event.issue_id = issue.id ORDER BY event.digest_order DESC LIMIT 1) AS level,
       (SELECT event.platform FROM events_event event WHERE event.issue_id = issue.id ORDER BY event.digest_order DESC LIMIT 1) AS platform
       FROM issues_issue issue WHERE issue.id > $1 AND NOT issue.is_deleted ORDER BY issue.id`,
    { after: [after ?? NIL_UUID], keyOf: ({ id_text }) => [String(id_text)], pageRows: PAGE_ISSUES },
  );
  for await (const page of pages) {
    const ids = page.map(({ id_text }) => String(id_text));
    const points = await readPoints(database, ids);
    const counts = schema.hasHourlyCounts ? await readCounts(database, ids) : new Map<string, never[]>();
    for (const row of page) {
      const project = bySlug.get(numberOf(row.project_id));
      const id = hexOf(row.id_text);
      if (project && id !== null) yield issueOf(id, project, row, points.get(id) ?? [], counts.get(id) ?? []);
    }
    const last = ids.at(-1);
    if (last !== undefined) yield { kind: 'mark', after: last };
  }
}

async function readPoints(database: ForeignDatabase, ids: readonly string[]) {
  const rows = await database.rows(
    `SELECT point.id, CAST(point.issue_id AS text) AS issue_id, point.timestamp, point.kind, point.metadata, point.comment,
       users.email, users.username, users.first_name, users.last_name
       FROM issues_turningpoint point LEFT JOIN auth_user users ON users.id = point.user_id
       WHERE point.issue_id IN (${placeholders(ids.length)}) ORDER BY point.timestamp, point.id`,
    ids,
  );
  return Map.groupBy(rows, ({ issue_id }) => hexOf(issue_id) ?? '');
}

async function readCounts(database: ForeignDatabase, ids: readonly string[]) {
  const rows = await database.rows(
    `SELECT CAST(issue_id AS text) AS issue_id, bucket, count FROM events_issueeventcountsperhour
       WHERE issue_id IN (${placeholders(ids.length)}) ORDER BY bucket`,
    ids,
  );
  return Map.groupBy(rows, ({ issue_id }) => hexOf(issue_id) ?? '');
}

function issueOf(
  id: string,
  project: BugsinkProject,
  row: ForeignRow,
  points: readonly ForeignRow[],
  counts: readonly ForeignRow[],
): IssueRecord {
  const releases = linesOf(row.events_at);
  const activities = points.flatMap(activitiesOf).slice(-LIST_MAX);
  return {
    kind: 'issue',
    id,
    project: String(project.id),
    shortId: `${project.slug.toUpperCase()}-${row.digest_order}`,
    ...describeIssue(row),
    ...issueState(row),
    culprit: textOf(row.transaction) ?? textOf(row.last_frame_function) ?? '',
    level: levelOf(row.level),
    platform: textOf(row.platform),
    logger: null,
    statusAt: activities.findLast(({ type }) => type !== 'note' && type !== 'first_seen')?.at ?? null,
    priority: null,
    assignee: null,
    firstSeen: timeOf(row.first_seen) ?? NEVER,
    lastSeen: timeOf(row.last_seen) ?? NEVER,
    timesSeen: numberOf(row.digested_event_count),
    firstRelease: releases[0] ?? null,
    lastRelease: releases.at(-1) ?? null,
    counts: counts.slice(-LIST_MAX).flatMap(({ bucket, count }) => {
      const at = timeOf(bucket);
      return at === null ? [] : [{ at, minutes: HOUR_MINUTES, events: numberOf(count) }];
    }),
    activities,
    hashes: [],
    subscribers: [],
    bookmarkedBy: [],
    links: [],
  };
}

/** The columns are never null. */
const NEVER = new Date(0).toISOString();
