import { sql } from 'kysely';
import type { Release, ReleaseStatus } from '#storage/ports/releases.ts';

/** With `seen` beside it: see `seenIn`. */
export const RELEASE = sql`releases.id, releases.version, releases.status, releases.created_at, releases.released_at,
  releases.started_at, releases.first_seen, releases.url, releases.ref, seen.projects`;

/** Which of the projects have seen a release, as JSON; null for none. */
export const seenIn = (projectIds: readonly number[]) => sql`LATERAL (
  SELECT json_agg(json_build_object('projectId', project_id,
    'firstSeen', floor(extract(epoch FROM release_projects.first_seen) * 1000)) ORDER BY project_id) AS projects
  FROM release_projects
  WHERE release_id = releases.id AND project_id = ANY(${projectIds}::bigint[])) seen`;

export type ReleaseRow = {
  id: number;
  version: string;
  status: ReleaseStatus;
  created_at: Date | null;
  released_at: Date | null;
  started_at: Date | null;
  first_seen: Date;
  url: string | null;
  ref: string | null;
  projects: readonly { projectId: number; firstSeen: number }[];
};

export const toRelease = (row: ReleaseRow): Release => ({
  id: row.id,
  version: row.version,
  status: row.status,
  createdAt: (row.created_at ?? row.first_seen).getTime(),
  releasedAt: row.released_at?.getTime() ?? null,
  startedAt: row.started_at?.getTime() ?? null,
  firstSeen: row.first_seen.getTime(),
  url: row.url,
  ref: row.ref,
  projects: row.projects,
});
