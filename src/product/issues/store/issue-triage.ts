import { type Kysely, sql, type Transaction } from 'kysely';
import { thresholdsOf } from '#domain/issues/archive-conditions.ts';
import {
  type AppliedChange,
  applyIssueChange,
  type IssueState,
  restoreIssue,
} from '#domain/issues/change-issue.ts';
import type { Issue, IssueChange, IssueRestoration } from '#domain/issues/issue.ts';
import { packageScopeOf } from '#domain/issues/package-scope.ts';
import { invalid } from '#lib/errors.ts';
import { findNewestReleases } from '#storage/sql/newest-releases.ts';
import { notifyChanges } from '#storage/sql/notices.ts';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableJson, toStorableText } from '#storage/sql/storable-json.ts';
import { findIssues } from './issue-row.ts';

/** What people do to issues, and how it is undone. */
export function createIssueTriage(db: Kysely<Database>) {
  return {
    /**
     * Applies the change to each issue and writes one activity per real change, in one transaction.
     * Answers the issues as they were before (for undo); issues of other organizations are left out. Throws Invalid for a
     * resolution in a release that the project of an issue has not seen.
     */
    async update(
      organizationId: number,
      issueIds: readonly number[],
      change: IssueChange,
      actorUserId: string | null,
      atMs: number,
    ): Promise<readonly Issue[]> {
      return await db.transaction().execute(async (transaction) => {
        const before = await lockIssues(transaction, organizationId, issueIds);
        const newest = await findReleases(transaction, before, change);
        const applied = before.flatMap((issue) => {
          const newestRelease = newest.get(issue.id) ?? null;
          return applyIssueChange(issue, change, { userId: actorUserId, atMs, newestRelease }) ?? [];
        });
        await writeChanges(transaction, applied, actorUserId, atMs);
        return before;
      });
    },

    /** Puts a part of each issue back to what it was, with an activity where that changes something. As `update`. */
    async restore(
      organizationId: number,
      restoration: IssueRestoration,
      actorUserId: string | null,
      atMs: number,
    ): Promise<void> {
      const ids = restoration.entries.map(({ issueId }) => issueId);
      await db.transaction().execute(async (transaction) => {
        const issues = await lockIssues(transaction, organizationId, ids);
        const parts = await readParts(transaction, restoration);
        const applied = issues.flatMap((issue) => restoreIssue(issue, parts.get(issue.id)!) ?? []);
        await writeChanges(transaction, applied, actorUserId, atMs);
      });
    },
  };
}

async function readParts(
  transaction: Transaction<Database>,
  restoration: IssueRestoration,
): Promise<Map<number, Partial<IssueState>>> {
  if (restoration.part !== 'status') {
    return new Map(restoration.entries.map(({ issueId, ...part }) => [issueId, part]));
  }
  const archivers = await findArchivers(transaction, restoration.entries);
  return new Map(
    restoration.entries.map(({ issueId, archive, ...state }) => {
      const userId = archivers.get(issueId) ?? null;
      return [issueId, { ...state, archive: archive && { ...archive, userId } }];
    }),
  );
}

/** Who archived each issue at the moment that is said, by its activity; absent when that is not known. */
async function findArchivers(
  transaction: Transaction<Database>,
  entries: readonly { issueId: number; archive: { archivedAt: number } | null }[],
): Promise<Map<number, string>> {
  const archived = entries.flatMap(({ issueId, archive }) =>
    archive === null ? [] : [{ issue_id: issueId, at: new Date(archive.archivedAt) }],
  );
  if (archived.length === 0) return new Map();
  const rows = await query<{ issueId: number; userId: string }>`
    SELECT activities.issue_id, activities.user_id
    FROM json_to_recordset(${JSON.stringify(archived)}::json) AS archived (issue_id bigint, at timestamptz)
    JOIN activities ON activities.issue_id = archived.issue_id AND activities.at = archived.at
    WHERE activities.type = 'set_archived' AND activities.user_id IS NOT NULL`.execute(transaction);
  return new Map(rows.map(({ issueId, userId }) => [issueId, userId]));
}

/** Locked by id, as everybody does it; read again afterwards, since others may have changed them until then. */
export async function lockIssues(
  transaction: Transaction<Database>,
  organizationId: number,
  issueIds: readonly number[],
): Promise<Issue[]> {
  await sql`
    SELECT FROM issues WHERE organization_id = ${organizationId} AND id = ANY(${issueIds}::bigint[])
    ORDER BY id FOR NO KEY UPDATE`.execute(transaction);
  return await findIssues(transaction, organizationId, issueIds);
}

/** The release by issue, when the resolution needs one. Throws Invalid for one that a project has not. */
async function findReleases(
  transaction: Transaction<Database>,
  issues: readonly Issue[],
  { resolution }: IssueChange,
): Promise<Map<number, string>> {
  if (resolution?.kind !== 'next_release' && resolution?.kind !== 'release') return new Map();
  const named = resolution.kind === 'release' ? resolution.release : null;
  const found = named ? await findNamed(transaction, named, issues) : await findNewest(transaction, issues);
  const lacking = issues.find(({ id }) => !found.has(id));
  if (!lacking) return found;
  throw invalid(
    named
      ? `Project ${lacking.projectSlug} has no release "${named.slice(0, 80)}": choose an existing release`
      : `Project ${lacking.projectSlug} has no releases yet: resolve it now, or set "release" in the SDK`,
    'statusDetails',
  );
}

async function findNewest(
  transaction: Transaction<Database>,
  issues: readonly Issue[],
): Promise<Map<number, string>> {
  const scopes = issues.map((issue) => ({ ...packageScopeOf(issue), issueId: issue.id }));
  const newest = await findNewestReleases(transaction, scopes);
  return new Map([...newest].map(([{ issueId }, version]) => [issueId, version]));
}

async function findNamed(
  transaction: Transaction<Database>,
  version: string,
  issues: readonly Issue[],
): Promise<Map<number, string>> {
  const rows = await query<{ projectId: number }>`
    SELECT project_id FROM release_projects JOIN releases ON releases.id = release_id
    WHERE version = ${toStorableText(version)}
      AND project_id = ANY(${issues.map(({ projectId }) => projectId)}::bigint[])`.execute(transaction);
  const projectIds = new Set(rows.map(({ projectId }) => projectId));
  return new Map(issues.filter(({ projectId }) => projectIds.has(projectId)).map(({ id }) => [id, version]));
}

/** Applied changes with their activities; notifies the pages that follow. */
export async function writeChanges(
  transaction: Transaction<Database>,
  changes: readonly AppliedChange[],
  actorUserId: string | null,
  atMs: number,
): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map(({ issue, after }) => ({ id: issue.id, ...columnsOf(after) }));
  await sql`
    UPDATE issues SET status = after.status, substatus = after.substatus, substatus_at = after.substatus_at,
      resolved_at = after.resolved_at, resolution = after.resolution, archive = after.archive,
      archived_until = after.archived_until, escalates_at_times_seen = after.escalates_at_times_seen,
      escalates_before = NULL, priority = after.priority, priority_locked_at = after.priority_locked_at,
      assignee_user_id = after.assignee_user_id, assignee_team_id = after.assignee_team_id
    FROM json_to_recordset(${toStorableJson(rows)}::json) AS after (id bigint, status text, substatus text,
      substatus_at timestamptz, resolved_at timestamptz, resolution jsonb, archive jsonb, archived_until timestamptz,
      escalates_at_times_seen bigint, priority text, priority_locked_at timestamptz, assignee_user_id text,
      assignee_team_id bigint)
    WHERE issues.id = after.id`.execute(transaction);
  const activities = changes.flatMap(({ issue, activities: list }) =>
    list.map(({ type, data }) => ({ issue_id: issue.id, type, data })),
  );
  await sql`
    INSERT INTO activities (issue_id, type, user_id, data, at)
    SELECT issue_id, type, ${actorUserId}, data, ${new Date(atMs)}
    FROM json_to_recordset(${toStorableJson(activities)}::json) AS activity (issue_id bigint, type text, data jsonb)
    `.execute(transaction);
  await notifyChanges(
    transaction,
    changes.map(({ issue }) => issue),
  );
}

function columnsOf(state: IssueState) {
  const { untilMs, escalatesAtTimesSeen } = thresholdsOf(state.archive);
  return {
    status: state.status,
    substatus: state.substatus,
    substatus_at: toDate(state.substatusAt),
    resolved_at: toDate(state.resolvedAt),
    resolution: state.resolution,
    archive: state.archive,
    archived_until: toDate(untilMs),
    escalates_at_times_seen: escalatesAtTimesSeen,
    priority: state.priority,
    priority_locked_at: toDate(state.priorityLockedAt),
    assignee_user_id: state.assigneeUserId,
    assignee_team_id: state.assigneeTeamId,
  };
}

const toDate = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));
