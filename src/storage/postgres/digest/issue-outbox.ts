import { sql, type Transaction } from 'kysely';
import type { ActivityType } from '#domain/issues/issue.ts';
import type { IssueTransition } from '#domain/issues/transition.ts';
import type { DigestedEvent } from '#protocol/event.ts';
import { notifyOutbox } from '#storage/sql/notices.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableJson } from '#storage/sql/storable-json.ts';
import type { IssueDelta } from './issue-delta.ts';

/** Each part of the searchable text of an issue. */
const TEXT_PART_CHARACTERS_MAX = 1_000;

export type TouchedIssue = { issueId: number; shortId: string; delta: IssueDelta };

/** What is shown of the newest event. */
export const textsOf = (event: DigestedEvent) => ({
  title: event.title,
  culprit: event.culprit,
  level: event.level,
  metadata: event.metadata,
});

/** What free text is searched in: one line per part. */
export async function writeTexts(
  transaction: Transaction<Database>,
  touched: readonly TouchedIssue[],
): Promise<void> {
  if (touched.length === 0) return;
  const texts = touched.map(({ issueId, shortId, delta: { newest } }) => ({
    issue_id: issueId,
    content: [
      shortId,
      newest.title,
      newest.culprit,
      newest.message,
      newest.metadata.type ?? '',
      newest.metadata.value ?? '',
    ]
      .filter((part, index, parts) => part !== '' && parts.indexOf(part) === index)
      .map((part) => part.slice(0, TEXT_PART_CHARACTERS_MAX))
      .join('\n'),
  }));
  await sql`
    INSERT INTO issue_texts (issue_id, content)
    SELECT issue_id, content FROM json_to_recordset(${toStorableJson(texts)}::json)
      AS text_of (issue_id bigint, content text)
    ON CONFLICT (issue_id) DO UPDATE SET content = excluded.content
    WHERE issue_texts.content <> excluded.content`.execute(transaction);
}

/**
 * Activities for people, and the outbox for what alert rules look at: both once, since they commit with the position. Of issues that are imported
 * nobody is notified.
 */
export async function writeIssueEntries(
  transaction: Transaction<Database>,
  created: readonly TouchedIssue[],
  updated: readonly (TouchedIssue & { transition: IssueTransition | null })[],
  nowMs: number,
): Promise<void> {
  const describe = (kind: string, activity: ActivityType, at: number, data: object, issue: TouchedIssue) => ({
    organization_id: issue.delta.organizationId,
    project_id: issue.delta.projectId,
    issue_id: issue.issueId,
    kind,
    activity,
    event_id: issue.delta.newest.eventId,
    data: { eventId: issue.delta.newest.eventId, release: issue.delta.lastRelease, ...data },
    at: new Date(at),
    is_quiet: issue.delta.isImport,
  });
  const entries = [
    ...created.map((issue) => describe('first_seen', 'first_seen', issue.delta.firstSeen, {}, issue)),
    ...updated.flatMap((issue) =>
      issue.transition
        ? describe(issue.transition.kind, issue.transition.activity, nowMs, issue.transition.data, issue)
        : [],
    ),
  ];
  if (entries.length === 0) return;
  await sql`
    WITH entries AS (
      SELECT * FROM json_to_recordset(${toStorableJson(entries)}::json) AS row_of (organization_id bigint,
        project_id bigint, issue_id bigint, kind text, activity text, event_id text, data jsonb, at timestamptz, is_quiet boolean)
    ), queued AS (
      INSERT INTO outbox (organization_id, project_id, issue_id, kind, event_id, data, created_at)
      SELECT organization_id, project_id, issue_id, kind, event_id, data, ${new Date(nowMs)} FROM entries
      WHERE NOT is_quiet
    )
    INSERT INTO activities (issue_id, type, data, at) SELECT issue_id, activity, data, at FROM entries`.execute(
    transaction,
  );
  await notifyOutbox(transaction);
}
