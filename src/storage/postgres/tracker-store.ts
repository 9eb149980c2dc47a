import { type Kysely, sql } from 'kysely';
import { conflict } from '#lib/errors.ts';
import type { SecretBox } from '#lib/secret-box.ts';
import type { Tracker, TrackerKind, TrackerStore } from '#storage/ports/trackers.ts';
import { isUniqueViolation } from './postgres-errors.ts';
import type { Database } from './schema.ts';
import { toStorableText } from './storable-json.ts';

/** Its secrets are encrypted for its organization and what they are: a row copied elsewhere opens nothing. */
export function createTrackerStore(db: Kysely<Database>, box: SecretBox): TrackerStore {
  return {
    async list(organizationId) {
      const { rows } = await sql<TrackerRow>`
        SELECT ${TRACKER} FROM trackers ${WITH_CREATOR} WHERE trackers.organization_id = ${organizationId}
        ORDER BY lower(trackers.name), trackers.id`.execute(db);
      return rows.map(toTracker);
    },

    find: (organizationId, id) => find(db, organizationId, id),

    async readSecrets(organizationId, id) {
      const { rows } = await sql<{ token: string; hook_secret: string }>`
        SELECT token, hook_secret FROM trackers WHERE organization_id = ${organizationId} AND id = ${id}`.execute(
        db,
      );
      if (!rows[0]) return { kind: 'absent' };
      const token = box.open(rows[0].token, tokenPlace(organizationId));
      const hookSecret = box.open(rows[0].hook_secret, hookPlace(organizationId));
      if (token === null || hookSecret === null) return { kind: 'unreadable' };
      return { kind: 'read', secrets: { token, hookSecret } };
    },

    async add(organizationId, { kind, name, url, login, account }, { token, hookSecret }, userId, atMs) {
      return await refuseTaken(name, async () => {
        const { rows } = await sql<{ id: number }>`
          INSERT INTO trackers (organization_id, kind, name, url, login, account, token, hook_secret, created_by,
            created_at)
          VALUES (${organizationId}, ${kind}, ${toStorableText(name)}, ${url}, ${login}, ${toStorableText(account)},
            ${box.seal(token, tokenPlace(organizationId))}, ${box.seal(hookSecret, hookPlace(organizationId))},
            ${userId}, ${new Date(atMs)})
          RETURNING id`.execute(db);
        return (await find(db, organizationId, rows[0]!.id))!;
      });
    },

    async update(organizationId, id, { name, url, login, account, token }) {
      return await refuseTaken(name, async () => {
        const sealed = token === null ? null : box.seal(token, tokenPlace(organizationId));
        await sql`
          UPDATE trackers SET name = ${toStorableText(name)}, url = ${url}, login = ${login},
            account = ${toStorableText(account)}, token = coalesce(${sealed}, token)
          WHERE organization_id = ${organizationId} AND id = ${id}`.execute(db);
        return await find(db, organizationId, id);
      });
    },

    async setHookSecret(organizationId, id, hookSecret) {
      const { numAffectedRows } = await sql`
        UPDATE trackers SET hook_secret = ${box.seal(hookSecret, hookPlace(organizationId))}
        WHERE organization_id = ${organizationId} AND id = ${id}`.execute(db);
      return numAffectedRows === 1n;
    },

    async remove(organizationId, id) {
      const { numAffectedRows } = await sql`
        DELETE FROM trackers WHERE organization_id = ${organizationId} AND id = ${id}`.execute(db);
      return numAffectedRows === 1n;
    },

    async knowsHook(organizationId, id, deliveryIds) {
      const { rows } = await sql`
        SELECT FROM tracker_hooks JOIN trackers ON trackers.id = tracker_id
        WHERE organization_id = ${organizationId} AND tracker_id = ${id}
          AND delivery_id = ANY(${deliveryIds.map(toStorableText)}::text[]) LIMIT 1`.execute(db);
      return rows.length > 0;
    },

    async rememberHook(organizationId, id, deliveryIds, atMs) {
      const at = new Date(atMs);
      await sql`
        WITH told AS (
          UPDATE trackers SET last_hook_at = ${at} WHERE organization_id = ${organizationId} AND id = ${id} RETURNING id
        )
        INSERT INTO tracker_hooks (tracker_id, delivery_id, received_at)
        SELECT id, delivery_id, ${at} FROM told, unnest(${deliveryIds.map(toStorableText)}::text[]) AS delivery_id
        ON CONFLICT DO NOTHING`.execute(db);
    },

    async forgetHooks(beforeMs, limit) {
      const { numAffectedRows } = await sql`
        DELETE FROM tracker_hooks WHERE (tracker_id, delivery_id) IN (
          SELECT tracker_id, delivery_id FROM tracker_hooks WHERE received_at < ${new Date(beforeMs)} LIMIT ${limit}
        )`.execute(db);
      return Number(numAffectedRows ?? 0);
    },
  };
}

const tokenPlace = (organizationId: number): string => `${organizationId} token`;
const hookPlace = (organizationId: number): string => `${organizationId} hook`;

async function find(db: Kysely<Database>, organizationId: number, id: number): Promise<Tracker | null> {
  const { rows } = await sql<TrackerRow>`
    SELECT ${TRACKER} FROM trackers ${WITH_CREATOR}
    WHERE trackers.organization_id = ${organizationId} AND trackers.id = ${id}`.execute(db);
  return rows[0] ? toTracker(rows[0]) : null;
}

async function refuseTaken<Result>(name: string, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!isUniqueViolation(error, 'trackers_name_uidx')) throw error;
    throw conflict(`"${name}" is connected already: choose another name`, 'name');
  }
}

const TRACKER = sql`trackers.id, trackers.organization_id, trackers.kind, trackers.name, trackers.url, trackers.login,
  trackers.account, trackers.created_by, creator.name AS creator_name, trackers.created_at, trackers.last_hook_at`;

const WITH_CREATOR = sql`LEFT JOIN users AS creator ON creator.id = trackers.created_by`;

type TrackerRow = {
  id: number;
  organization_id: number;
  kind: TrackerKind;
  name: string;
  url: string;
  login: string | null;
  account: string;
  created_by: string | null;
  creator_name: string | null;
  created_at: Date;
  last_hook_at: Date | null;
};

const toTracker = (row: TrackerRow): Tracker => ({
  id: row.id,
  organizationId: row.organization_id,
  kind: row.kind,
  name: row.name,
  url: row.url,
  login: row.login,
  account: row.account,
  createdBy: row.created_by === null ? null : { id: row.created_by, name: row.creator_name ?? '' },
  createdAt: row.created_at.getTime(),
  lastHookAt: row.last_hook_at?.getTime() ?? null,
});
