import { type RawBuilder, sql, type Transaction } from 'kysely';
import { formatShortId } from '#protocol/short-id.ts';
import type { Database } from '../schema.ts';
import { toStorableText } from '../storable-json.ts';

/**
 * A new issue for events of another one: in the same state, assigned to the same people, seen in the same releases;
 * without events so far. Answers its number.
 */
export async function createIssueLike(
  transaction: Transaction<Database>,
  input: { projectId: number; from: number; title: string | null },
): Promise<number> {
  const { rows: projects } = await sql<{ slug: string; issue_counter: number }>`
    UPDATE projects SET issue_counter = issue_counter + 1 WHERE id = ${input.projectId}
    RETURNING slug, issue_counter`.execute(transaction);
  const [project] = projects;
  if (!project) throw new Error(`The project ${input.projectId} is gone`);
  const shortId = formatShortId(project.slug, project.issue_counter);
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
  if (issueId === undefined) throw new Error(`The issue ${input.from} is gone`);
  await sql`
    INSERT INTO issue_texts (issue_id, content)
    SELECT id, concat_ws(E'\n', short_id, title, culprit, metadata->>'type', metadata->>'value') FROM issues
    WHERE id = ${issueId}`.execute(transaction);
  await sql`
    INSERT INTO issue_releases (issue_id, release_id)
    SELECT ${issueId}, release_id FROM issue_releases WHERE issue_id = ${input.from}`.execute(transaction);
  return issueId;
}
