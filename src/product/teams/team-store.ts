import { type Kysely, sql } from 'kysely';
import { conflict } from '#lib/errors.ts';
import { isUniqueViolation } from '#storage/sql/postgres-errors.ts';
import { affectedRows, query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';

export type Team = {
  id: number;
  organizationId: number;
  /** Unique in its organization. */
  slug: string;
  name: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** User ids. */
  memberIds: readonly string[];
  projectIds: readonly number[];
};

const TEAMS_MAX = 1_000;

/** Teams, their members and their projects. Source: PostgreSQL. Every call is scoped by organization. */
export function createTeamStore(db: Kysely<Database>) {
  return {
    /** By slug, ascending. */
    list: (organizationId: number): Promise<readonly Team[]> =>
      query<Team>`
        SELECT ${TEAM_COLUMNS} FROM teams t WHERE t.organization_id = ${organizationId}
        ORDER BY t.slug LIMIT ${TEAMS_MAX}`.execute(db),

    /** Projects of the teams that the user is in. */
    async listProjectIdsOf(organizationId: number, userId: string): Promise<readonly number[]> {
      const rows = await query<{ projectId: number }>`
        SELECT DISTINCT p.project_id FROM team_members m
        JOIN teams t ON t.id = m.team_id AND t.organization_id = ${organizationId}
        JOIN project_teams p ON p.team_id = t.id
        WHERE m.user_id = ${userId}`.execute(db);
      return rows.map(({ projectId }) => projectId);
    },

    /** Throws Conflict when the slug is taken. */
    create: (organizationId: number, { slug, name }: { slug: string; name: string }): Promise<Team> =>
      refusingTakenSlug(slug, async () => {
        return (await query<Team>`
          INSERT INTO teams AS t (organization_id, slug, name) VALUES (${organizationId}, ${slug}, ${name})
          RETURNING ${TEAM_COLUMNS}`.first(db))!;
      }),

    /** null when the organization has no such team. Throws Conflict when the slug is taken. */
    update: (
      organizationId: number,
      teamId: number,
      { slug, name }: { slug?: string; name?: string },
    ): Promise<Team | null> =>
      refusingTakenSlug(slug ?? '', async () => {
        return await query<Team>`
          UPDATE teams AS t SET slug = coalesce(${slug ?? null}, slug), name = coalesce(${name ?? null}, name)
          WHERE t.organization_id = ${organizationId} AND t.id = ${teamId}
          RETURNING ${TEAM_COLUMNS}`.first(db);
      }),

    /** Its issues belong to nobody afterwards. False when the organization has no such team. */
    async delete(organizationId: number, teamId: number): Promise<boolean> {
      const changed = await affectedRows`
        DELETE FROM teams WHERE organization_id = ${organizationId} AND id = ${teamId}`.execute(db);
      return changed === 1;
    },

    /** Whether the user is in the team afterwards; only members of the organization can be. */
    async setMember(
      organizationId: number,
      teamId: number,
      userId: string,
      isMember: boolean,
    ): Promise<boolean> {
      if (!isMember) {
        await sql`
          DELETE FROM team_members USING teams
          WHERE teams.id = team_id AND teams.organization_id = ${organizationId} AND team_id = ${teamId}
            AND user_id = ${userId}`.execute(db);
        return false;
      }
      const changed = await affectedRows`
        INSERT INTO team_members (team_id, user_id)
        SELECT teams.id, memberships.user_id FROM teams
        JOIN memberships ON memberships.organization_id = teams.organization_id
        WHERE teams.organization_id = ${organizationId} AND teams.id = ${teamId}
          AND memberships.user_id = ${userId}
        ON CONFLICT (team_id, user_id) DO UPDATE SET user_id = excluded.user_id`.execute(db);
      return changed === 1;
    },

    /** Whether the team has the project afterwards; only projects of the organization can be had. */
    async setProject(
      organizationId: number,
      teamId: number,
      projectId: number,
      isOwned: boolean,
    ): Promise<boolean> {
      if (!isOwned) {
        await sql`
          DELETE FROM project_teams USING teams
          WHERE teams.id = team_id AND teams.organization_id = ${organizationId} AND team_id = ${teamId}
            AND project_id = ${projectId}`.execute(db);
        return false;
      }
      const changed = await affectedRows`
        INSERT INTO project_teams (project_id, team_id)
        SELECT projects.id, teams.id FROM teams
        JOIN projects ON projects.organization_id = teams.organization_id
        WHERE teams.organization_id = ${organizationId} AND teams.id = ${teamId} AND projects.id = ${projectId}
        ON CONFLICT (project_id, team_id) DO UPDATE SET team_id = excluded.team_id`.execute(db);
      return changed === 1;
    },
  };
}

export type TeamStore = ReturnType<typeof createTeamStore>;

/** Whoever left the organization is in none of its teams. */
const TEAM_COLUMNS = sql`t.id, t.organization_id, t.slug, t.name, t.created_at,
  ARRAY(SELECT m.user_id FROM team_members m JOIN memberships ON memberships.user_id = m.user_id
    AND memberships.organization_id = t.organization_id WHERE m.team_id = t.id ORDER BY m.user_id) AS member_ids,
  ARRAY(SELECT p.project_id::float8 FROM project_teams p WHERE p.team_id = t.id ORDER BY p.project_id) AS project_ids`;

async function refusingTakenSlug<Result>(slug: string, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!isUniqueViolation(error, 'teams_slug_uidx')) throw error;
    throw conflict(
      `The slug ${slug} is already used by another team in this organization: choose another slug`,
      'slug',
    );
  }
}
