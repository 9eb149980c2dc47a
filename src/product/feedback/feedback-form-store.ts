import { type Kysely, sql } from 'kysely';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';

/** What the public page of a form needs. */
export type OpenFeedbackForm = {
  projectId: number;
  projectName: string;
  /** Of the oldest active client key; null when none is active. */
  publicKey: string | null;
};

/** Public feedback forms, at most one of each project. Source: PostgreSQL. */
export function createFeedbackFormStore(db: Kysely<Database>) {
  return {
    /** The token in its address; null when the project has none. */
    async find(projectId: number): Promise<string | null> {
      const row = await query<{ token: string }>`
        SELECT token FROM feedback_forms WHERE project_id = ${projectId}`.first(db);
      return row?.token ?? null;
    },

    /** Keeps the token of a form that is there. */
    async add(projectId: number, token: string, atMs: number): Promise<void> {
      await sql`INSERT INTO feedback_forms (project_id, token, created_at)
        VALUES (${projectId}, ${token}, ${new Date(atMs)}) ON CONFLICT (project_id) DO NOTHING`.execute(db);
    },

    async remove(projectId: number): Promise<void> {
      await sql`DELETE FROM feedback_forms WHERE project_id = ${projectId}`.execute(db);
    },

    /** null when no form has the token. */
    open: (token: string): Promise<OpenFeedbackForm | null> =>
      query<OpenFeedbackForm>`
        SELECT projects.id AS project_id, projects.name AS project_name, (
          SELECT public_key FROM client_keys WHERE client_keys.project_id = projects.id AND is_active
          ORDER BY id LIMIT 1) AS public_key
        FROM feedback_forms JOIN projects ON projects.id = feedback_forms.project_id
        WHERE token = ${token}`.first(db),
  };
}

export type FeedbackFormStore = ReturnType<typeof createFeedbackFormStore>;
