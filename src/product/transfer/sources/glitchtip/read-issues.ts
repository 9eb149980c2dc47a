import type { ForeignDatabase, ForeignRow } from '#storage/ports/foreign-database.ts';
import type { IssueRecord, TransferActivity } from '../../issue-records.ts';
import { LIST_MAX, LONG_TEXT_CHARACTERS_MAX } from '../../record-parts.ts';
import { flagOf, jsonObjectOf, numberOf, textOf, timeOf } from '../foreign-values.ts';
import { levelOf } from '../levels.ts';
import { emailOf, personOf } from '../people.ts';
import { placeholders, readPages } from '../read-by-key.ts';
import type { StepItem } from '../read-steps.ts';
import { levelName } from './event-payload.ts';
import type { GlitchtipSchema } from './glitchtip-schema.ts';
import type { GlitchtipProject } from './read-structure.ts';

/** Each with its comments and its counts of hours. */
const PAGE_ISSUES = 100;
const HOUR_MINUTES = 60;
const TYPES = ['default', 'error', 'csp'] as const;
const RESOLVED = 1;
const IGNORED = 2;

/** Issues that are not being deleted, by ID. A `mark` follows each page. */
export async function* readIssues(
  database: ForeignDatabase,
  schema: GlitchtipSchema,
  projects: readonly GlitchtipProject[],
  after: string | null,
): AsyncGenerator<StepItem> {
  if (projects.length === 0) return;
  const byId = new Map(projects.map((project) => [project.id, project]));
  const pages = readPages(database, statementOf(schema, projects.length), {
    after: [Number(after ?? 0)],
    keyOf: ({ id }) => [numberOf(id)],
    parameters: projects.map(({ id }) => id),
    pageRows: PAGE_ISSUES,
  });
  for await (const page of pages) {
    const ids = page.map(({ id }) => numberOf(id));
    const comments = schema.tableOf('issue_events_comment')
      ? await rowsOf(
          database,
          `SELECT comment.id, comment.issue_id, comment.created, comment.text, person.email, person.name
             FROM issue_events_comment comment LEFT JOIN users_user person ON person.id = comment.user_id`,
          'comment.created, comment.id',
          ids,
        )
      : new Map<number, ForeignRow[]>();
    const counts = schema.tableOf('issue_events_issueaggregate')
      ? await rowsOf(database, 'SELECT issue_id, date, count FROM issue_events_issueaggregate', 'date', ids)
      : new Map<number, ForeignRow[]>();
    for (const row of page) {
      const id = numberOf(row.id);
      const project = byId.get(numberOf(row.project_id));
      if (project) yield issueOf(row, project, comments.get(id) ?? [], counts.get(id) ?? []);
    }
    const last = ids.at(-1);
    if (last !== undefined) yield { kind: 'mark', after: String(last) };
  }
}

function statementOf(schema: GlitchtipSchema, projects: number): string {
  const has = (column: string) => schema.has('issue_events_issue', column);
  // What changes with each event moved to a table of its own.
  const hot = schema.hasIssueIndex ? 'hot' : 'issue';
  const release = (column: string, holder = 'issue', isThere = has(column)) =>
    isThere ? `(SELECT version FROM releases_release WHERE id = ${holder}.${column})` : 'NULL';
  const assignee = has('assigned_to_org_user_id')
    ? `(SELECT person.email FROM organizations_ext_organizationuser member JOIN users_user person ON person.id = member.user_id
         WHERE member.id = issue.assigned_to_org_user_id)`
    : 'NULL';
  return `SELECT issue.id, issue.project_id, issue.short_id, issue.title, issue.culprit, issue.metadata, issue.type, issue.first_seen,
      ${hot}.level, ${hot}.status, ${hot}.count, ${hot}.last_seen,
      ${release('first_release_id')} AS first_release,
      ${release('last_release_id', hot, schema.hasIssueIndex || has('last_release_id'))} AS last_release,
      ${release('resolved_in_release_id')} AS resolved_in,
      ${has('resolved_in_next_release') ? 'issue.resolved_in_next_release' : 'FALSE'} AS in_next_release,
      ${assignee} AS assignee, ${has('assigned_to_team_id') ? 'issue.assigned_to_team_id' : 'NULL'} AS team_id,
      (SELECT event.data->>'platform' FROM issue_events_issueevent event WHERE event.issue_id = issue.id LIMIT 1) AS platform
      FROM issue_events_issue issue ${schema.hasIssueIndex ? 'JOIN issue_events_issueindex hot ON hot.issue_id = issue.id' : ''}
      WHERE issue.id > $1 AND issue.project_id IN (${placeholders(projects, 2)})
      ${has('is_deleted') ? 'AND NOT issue.is_deleted' : ''} ORDER BY issue.id`;
}

async function rowsOf(database: ForeignDatabase, select: string, order: string, ids: readonly number[]) {
  const rows = await database.rows(
    `${select} WHERE issue_id IN (${placeholders(ids.length)}) ORDER BY ${order}`,
    ids,
  );
  return Map.groupBy(rows, ({ issue_id }) => numberOf(issue_id));
}

function issueOf(
  row: ForeignRow,
  project: GlitchtipProject,
  comments: readonly ForeignRow[],
  counts: readonly ForeignRow[],
): IssueRecord {
  const firstSeen = timeOf(row.first_seen) ?? new Date(0).toISOString();
  return {
    kind: 'issue',
    id: String(row.id),
    project: String(project.id),
    shortId:
      row.short_id === null ? null : `${project.slug.toUpperCase()}-${toBase32(numberOf(row.short_id))}`,
    title: textOf(row.title) ?? '',
    culprit: textOf(row.culprit) ?? '',
    level: levelOf(levelName(row.level)),
    platform: textOf(row.platform),
    type: TYPES[numberOf(row.type)] ?? 'error',
    metadata: { ...jsonObjectOf(row.metadata) },
    logger: null,
    ...stateOf(row),
    statusAt: null,
    priority: null,
    assignee: assigneeOf(row),
    firstSeen,
    lastSeen: timeOf(row.last_seen) ?? firstSeen,
    timesSeen: numberOf(row.count),
    firstRelease: textOf(row.first_release),
    lastRelease: textOf(row.last_release),
    counts: counts.slice(-LIST_MAX).flatMap(({ date, count }) => {
      const at = timeOf(date);
      return at === null ? [] : [{ at, minutes: HOUR_MINUTES, events: numberOf(count) }];
    }),
    activities: comments.slice(-LIST_MAX).flatMap(commentOf),
    hashes: [],
    subscribers: [],
    bookmarkedBy: [],
    links: [],
  };
}

function stateOf(row: ForeignRow): Pick<IssueRecord, 'status' | 'substatus' | 'resolution' | 'archive'> {
  const status = numberOf(row.status);
  // What GlitchTip ignores stays so, whatever happens.
  if (status === IGNORED)
    return { status: 'archived', substatus: null, resolution: null, archive: { kind: 'forever' } };
  if (status !== RESOLVED) return { status: 'unresolved', substatus: null, resolution: null, archive: null };
  const release = textOf(row.resolved_in);
  const after = textOf(row.last_release);
  const resolution =
    flagOf(row.in_next_release) && after !== null
      ? ({ kind: 'next_release', after } as const)
      : release === null
        ? ({ kind: 'now' } as const)
        : ({ kind: 'release', release } as const);
  return { status: 'resolved', substatus: null, resolution, archive: null };
}

function assigneeOf(row: ForeignRow): IssueRecord['assignee'] {
  const email = emailOf(row.assignee);
  if (email !== null) return { kind: 'user', email };
  return row.team_id === null ? null : { kind: 'team', team: String(row.team_id) };
}

function commentOf(row: ForeignRow): readonly TransferActivity[] {
  const at = timeOf(row.created);
  const text = textOf(row.text, LONG_TEXT_CHARACTERS_MAX);
  if (at === null || text === null) return [];
  return [{ id: String(row.id), type: 'note', person: personOf(row.email, row.name), at, data: { text } }];
}

/** Crockford's digits: without I, L, O and U. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

function toBase32(number: number): string {
  const rest = Math.floor(number / 32);
  return `${rest > 0 ? toBase32(rest) : ''}${DIGITS[number % 32]}`;
}
