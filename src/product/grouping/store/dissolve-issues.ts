import { type RawBuilder, sql, type Transaction } from 'kysely';
import { formatShortId } from '#protocol/short-id.ts';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableText } from '#storage/sql/storable-json.ts';
import { keepRows, listChildTables, passOnChildren, takeBackChildren } from './issue-children.ts';

export type Dissolved = { issueId: number; into: number };

/** Notes issues as they are before the change touches them; those that it touched before stay as they were noted. */
export async function keepIssues(
  transaction: Transaction<Database>,
  changeId: number,
  issueIds: readonly number[],
): Promise<void> {
  if (issueIds.length === 0) return;
  const { rows } = await sql<{ issue_id: number }>`
    INSERT INTO grouping_change_issues (change_id, issue_id, role)
    SELECT ${changeId}, id, 'kept' FROM issues WHERE id = ANY(${issueIds}::bigint[])
    ON CONFLICT DO NOTHING RETURNING issue_id`.execute(transaction);
  if (rows.length === 0) return;
  await keepRows(
    transaction,
    changeId,
    rows.map((row) => row.issue_id),
    await listChildTables(transaction),
  );
}

/** Deletes the issues (backed up before) after passing their children and short ids to others. */
export async function dissolveIssues(
  transaction: Transaction<Database>,
  changeId: number,
  gone: readonly Dissolved[],
): Promise<void> {
  if (gone.length === 0) return;
  await passOnTexts(transaction, gone);
  await dissolveEmptyIssues(transaction, changeId, gone);
}

/** As `dissolveIssues`, of issues whose events have gone already, and with them what was read off them. */
export async function dissolveEmptyIssues(
  transaction: Transaction<Database>,
  changeId: number,
  gone: readonly Dissolved[],
): Promise<void> {
  if (gone.length === 0) return;
  const ids = gone.map(({ issueId }) => issueId);
  const into = gone.map((entry) => entry.into);
  await passOnChildren(transaction, gone, await listChildTables(transaction));
  await sql`
    UPDATE grouping_change_issues SET role = CASE role WHEN 'created' THEN role ELSE 'dissolved' END,
      other_issue_id = CASE role WHEN 'created' THEN other_issue_id ELSE gone.into_id END
    FROM unnest(${ids}::bigint[], ${into}::bigint[]) AS gone (from_id, into_id)
    WHERE change_id = ${changeId} AND issue_id = gone.from_id`.execute(transaction);
  await sql`
    INSERT INTO issue_redirects (old_issue_id, organization_id, short_id, issue_id)
    SELECT issues.id, issues.organization_id, issues.short_id, gone.into_id
    FROM unnest(${ids}::bigint[], ${into}::bigint[]) AS gone (from_id, into_id)
    JOIN issues ON issues.id = gone.from_id`.execute(transaction);
  await sql`DELETE FROM issues WHERE id = ANY(${ids}::bigint[])`.execute(transaction);
}

/** What was read off the newest event is of the newest event of all, and so with the oldest. */
async function passOnTexts(transaction: Transaction<Database>, gone: readonly Dissolved[]): Promise<void> {
  const ids = gone.map(({ issueId }) => issueId);
  const into = gone.map((entry) => entry.into);
  await sql`
    UPDATE issues SET title = newest.title, culprit = newest.culprit, level = newest.level,
      metadata = newest.metadata, last_release = coalesce(newest.last_release, issues.last_release)
    FROM (
      SELECT DISTINCT ON (gone.into_id) gone.into_id, past.* FROM issues past
      JOIN unnest(${ids}::bigint[], ${into}::bigint[]) AS gone (from_id, into_id) ON gone.from_id = past.id
      ORDER BY gone.into_id, past.last_seen DESC, past.id
    ) AS newest
    WHERE issues.id = newest.into_id AND newest.last_seen > issues.last_seen`.execute(transaction);
  await sql`
    UPDATE issues SET first_release = coalesce(oldest.first_release, issues.first_release)
    FROM (
      SELECT DISTINCT ON (gone.into_id) gone.into_id, past.first_release, past.first_seen FROM issues past
      JOIN unnest(${ids}::bigint[], ${into}::bigint[]) AS gone (from_id, into_id) ON gone.from_id = past.id
      ORDER BY gone.into_id, past.first_seen, past.id
    ) AS oldest
    WHERE issues.id = oldest.into_id AND oldest.first_seen < issues.first_seen`.execute(transaction);
}

/** Restores dissolved issues with all their rows, without their hashes. Returns those whose id was still free. */
export async function restoreIssuesOf(
  transaction: Transaction<Database>,
  changeId: number,
  issueIds: readonly number[],
): Promise<void> {
  if (issueIds.length === 0) return;
  const { rows } = await sql<{ column: string }>`
    SELECT attname AS column FROM pg_attribute
    WHERE attrelid = 'issues'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' AND attname IN (
      SELECT jsonb_object_keys(content) FROM grouping_change_rows
      WHERE change_id = ${changeId} AND table_name = 'issues' AND issue_id = ${issueIds[0]!}
    )`.execute(transaction);
  const columns = rows.map(({ column }) => sql.id(column));
  await sql`
    INSERT INTO issues (${sql.join(columns)}) OVERRIDING SYSTEM VALUE
    SELECT ${sql.join(rows.map(({ column }) => pastValue(column)))}
    FROM grouping_change_rows kept
    CROSS JOIN LATERAL jsonb_populate_record(NULL::issues, kept.content) AS past
    WHERE kept.change_id = ${changeId} AND kept.table_name = 'issues' AND kept.issue_id = ANY(${issueIds}::bigint[])
    ON CONFLICT DO NOTHING`.execute(transaction);
  const returned = await query<{ issueId: number; from: number }>`
    SELECT issue_id, other_issue_id AS "from" FROM grouping_change_issues
    WHERE change_id = ${changeId} AND issue_id = ANY(${issueIds}::bigint[])`.execute(transaction);
  await takeBackChildren(transaction, changeId, returned, await listChildTables(transaction));
}

/** Counters of issues are those of their hashes together. What is moved is none of the events an archived one waits for. */
export async function recountIssues(
  transaction: Transaction<Database>,
  issueIds: readonly number[],
): Promise<void> {
  await sql`
    UPDATE issues SET times_seen = total.events,
      first_seen = coalesce(total.first_seen, issues.first_seen),
      last_seen = coalesce(total.last_seen, issues.last_seen),
      escalates_at_times_seen = issues.escalates_at_times_seen + total.events - issues.times_seen,
      archive = jsonb_set(issues.archive, '{timesSeen}',
        to_jsonb((issues.archive ->> 'timesSeen')::bigint + total.events - issues.times_seen))
    FROM (
      SELECT issue_id, sum(times_seen)::bigint AS events, min(first_seen) AS first_seen, max(last_seen) AS last_seen
      FROM grouping_hashes WHERE issue_id = ANY(${issueIds}::bigint[]) GROUP BY issue_id
    ) AS total
    WHERE issues.id = total.issue_id`.execute(transaction);
}

/** A team may be gone since. */
const pastValue = (column: string) =>
  column === 'assignee_team_id'
    ? sql`(SELECT id FROM teams WHERE id = past.assignee_team_id)`
    : sql`past.${sql.id(column)}`;

/** A new issue like another one: state, assignee and releases, but no events. Returns its id. */
export async function createIssueLike(
  transaction: Transaction<Database>,
  input: { projectId: number; from: number; title: string | null },
): Promise<number> {
  const project = await query<{ slug: string; issueCounter: number }>`
    UPDATE projects SET issue_counter = issue_counter + 1 WHERE id = ${input.projectId}
    RETURNING slug, issue_counter`.first(transaction);
  if (!project) throw new Error(`Project ${input.projectId} no longer exists`);
  const shortId = formatShortId(project.slug, project.issueCounter);
  const { rows } = await sql<{ column: string }>`
    SELECT attname AS column FROM pg_attribute
    WHERE attrelid = 'issues'::regclass AND attnum > 0 AND NOT attisdropped AND attidentity = '' AND attgenerated = ''
    ORDER BY attnum`.execute(transaction);
  const own: Record<string, RawBuilder<unknown>> = {
    short_id: sql`${shortId}::text`,
    times_seen: sql`0::bigint`,
    // As many events as the other one still waits for, should it be archived.
    escalates_at_times_seen: sql`model.escalates_at_times_seen - model.times_seen`,
    archive: sql`jsonb_set(model.archive, '{timesSeen}',
      to_jsonb((model.archive ->> 'timesSeen')::bigint - model.times_seen))`,
    ...(input.title !== null && { title: sql`${toStorableText(input.title)}::text` }),
  };
  const columns = sql.join(rows.map(({ column }) => sql.id(column)));
  const values = sql.join(rows.map(({ column }) => own[column] ?? sql`model.${sql.id(column)}`));
  const { rows: created } = await sql<{ id: number }>`
    INSERT INTO issues (${columns}) SELECT ${values} FROM issues model WHERE model.id = ${input.from}
    RETURNING id`.execute(transaction);
  const issueId = created[0]?.id;
  if (issueId === undefined) throw new Error(`Issue ${input.from} no longer exists`);
  await sql`
    INSERT INTO issue_texts (issue_id, content)
    SELECT id, concat_ws(E'\n', short_id, title, culprit, metadata->>'type', metadata->>'value') FROM issues
    WHERE id = ${issueId}`.execute(transaction);
  await sql`
    INSERT INTO issue_releases (issue_id, release_id)
    SELECT ${issueId}, release_id FROM issue_releases WHERE issue_id = ${input.from}`.execute(transaction);
  return issueId;
}
