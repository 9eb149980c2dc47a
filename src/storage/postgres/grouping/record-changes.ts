import { sql, type Transaction } from 'kysely';
import type { Database } from '../schema.ts';
import { toStorableJson } from '../storable-json.ts';
import type { OwnedJob } from './job-lease.ts';

/** The issue that stays says what became part of it. */
export async function recordMerges(
  transaction: Transaction<Database>,
  change: OwnedJob,
  gone: readonly { issueId: number; into: number }[],
  nowMs: number,
): Promise<void> {
  if (gone.length === 0) return;
  await sql`
    INSERT INTO activities (issue_id, type, user_id, data, at)
    SELECT gone.into_id, 'merge', ${change.userId}, jsonb_build_object('changeId', ${change.id}::bigint,
      'count', count(*), 'rulesVersion', ${change.rulesVersion}::integer,
      'issues', to_jsonb((array_agg(jsonb_build_object('shortId', redirect.short_id) ORDER BY gone.from_id))[1:20])),
      ${new Date(nowMs)}::timestamptz
    FROM unnest(${gone.map(({ issueId }) => issueId)}::bigint[], ${gone.map(({ into }) => into)}::bigint[])
      AS gone (from_id, into_id)
    JOIN issue_redirects redirect ON redirect.old_issue_id = gone.from_id
    GROUP BY gone.into_id`.execute(transaction);
}

/** An issue is called as its newest event is, unless one came that is newer than those that were looked at. */
export async function setTitles(
  transaction: Transaction<Database>,
  titles: readonly { issueId: number; title: string; lastSeen: number }[],
): Promise<void> {
  const rows = titles.map(({ issueId, title, lastSeen }) => ({
    issue_id: issueId,
    title,
    last_seen: new Date(lastSeen),
  }));
  await sql`
    WITH named AS (
      SELECT * FROM json_to_recordset(${toStorableJson(rows)}::json) AS row_of (issue_id bigint, title text,
        last_seen timestamptz)
    ), renamed AS (
      UPDATE issues SET title = named.title FROM named
      WHERE issues.id = named.issue_id AND issues.title <> named.title AND issues.last_seen <= named.last_seen
      RETURNING issues.id, issues.title
    )
    UPDATE issue_texts SET content = issue_texts.content || E'\n' || renamed.title FROM renamed
    WHERE issue_texts.issue_id = renamed.id`.execute(transaction);
}
