import { type Kysely, sql } from 'kysely';
import { conflict } from '#lib/errors.ts';
import type { SecretBox } from '#lib/secret-box.ts';
import type {
  Destination,
  DestinationKind,
  DestinationSecret,
  DestinationStore,
} from '#storage/ports/destinations.ts';
import { isUniqueViolation } from './postgres-errors.ts';
import type { Database } from './schema.ts';
import { toStorableJson } from './storable-json.ts';

/** What a destination is posted with is encrypted for its organization: a row copied into another one opens nothing. */
export function createDestinationStore(db: Kysely<Database>, box: SecretBox): DestinationStore {
  const seal = (organizationId: number, secret: DestinationSecret) =>
    box.seal(JSON.stringify(secret), String(organizationId));
  return {
    async list(organizationId) {
      const { rows } = await sql<DestinationRow>`
        SELECT ${DESTINATION} FROM destinations ${WITH_CREATOR}
        WHERE destinations.organization_id = ${organizationId}
        ORDER BY lower(destinations.name), destinations.id`.execute(db);
      return rows.map(toDestination);
    },

    async find(organizationId, id) {
      return await find(db, organizationId, id);
    },

    async readSecret(organizationId, id) {
      const { rows } = await sql<{ secret: string }>`
        SELECT secret FROM destinations WHERE organization_id = ${organizationId} AND id = ${id}`.execute(db);
      if (!rows[0]) return { kind: 'absent' };
      const text = box.open(rows[0].secret, String(organizationId));
      if (text === null) return { kind: 'unreadable' };
      return { kind: 'read', secret: JSON.parse(text) as DestinationSecret };
    },

    async add(organizationId, { kind, name, config, secret }, userId, atMs) {
      return await refuseTaken(name, async () => {
        const { rows } = await sql<{ id: number }>`
          INSERT INTO destinations (organization_id, kind, name, config, secret, created_by, created_at)
          VALUES (${organizationId}, ${kind}, ${name}, ${toStorableJson(config)}::jsonb, ${seal(organizationId, secret)},
            ${userId}, ${new Date(atMs)})
          RETURNING id`.execute(db);
        return (await find(db, organizationId, rows[0]!.id))!;
      });
    },

    async update(organizationId, id, { name, config, secret }) {
      return await refuseTaken(name, async () => {
        const kept = secret === null ? null : seal(organizationId, secret);
        await sql`
          UPDATE destinations SET name = ${name}, config = ${toStorableJson(config)}::jsonb,
            secret = coalesce(${kept}, secret)
          WHERE organization_id = ${organizationId} AND id = ${id}`.execute(db);
        return await find(db, organizationId, id);
      });
    },

    async remove(organizationId, id) {
      const { numAffectedRows } = await sql`
        DELETE FROM destinations WHERE organization_id = ${organizationId} AND id = ${id}`.execute(db);
      return numAffectedRows === 1n;
    },

    async noteResult(organizationId, id, error, atMs) {
      const at = new Date(atMs);
      const change =
        error === null
          ? sql`last_sent_at = ${at}, failing_since = NULL, last_error = NULL`
          : sql`failing_since = coalesce(failing_since, ${at}), last_error = ${error}`;
      await sql`
        UPDATE destinations SET ${change} WHERE organization_id = ${organizationId} AND id = ${id}`.execute(
        db,
      );
    },
  };
}

async function find(db: Kysely<Database>, organizationId: number, id: number): Promise<Destination | null> {
  const { rows } = await sql<DestinationRow>`
    SELECT ${DESTINATION} FROM destinations ${WITH_CREATOR}
    WHERE destinations.organization_id = ${organizationId} AND destinations.id = ${id}`.execute(db);
  return rows[0] ? toDestination(rows[0]) : null;
}

async function refuseTaken<Result>(name: string, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!isUniqueViolation(error, 'destinations_name_uidx')) throw error;
    throw conflict(`There is a destination "${name}" already: choose another name`, 'name');
  }
}

const DESTINATION = sql`destinations.id, destinations.organization_id, destinations.kind, destinations.name,
  destinations.config, destinations.created_by, creator.name AS creator_name, destinations.created_at,
  destinations.last_sent_at, destinations.failing_since, destinations.last_error`;

const WITH_CREATOR = sql`LEFT JOIN users AS creator ON creator.id = destinations.created_by`;

type DestinationRow = {
  id: number;
  organization_id: number;
  kind: DestinationKind;
  name: string;
  config: Record<string, string>;
  created_by: string | null;
  creator_name: string | null;
  created_at: Date;
  last_sent_at: Date | null;
  failing_since: Date | null;
  last_error: string | null;
};

const toDestination = (row: DestinationRow): Destination => ({
  id: row.id,
  organizationId: row.organization_id,
  kind: row.kind,
  name: row.name,
  config: row.config,
  createdBy: row.created_by === null ? null : { id: row.created_by, name: row.creator_name ?? '' },
  createdAt: row.created_at.getTime(),
  lastSentAt: row.last_sent_at?.getTime() ?? null,
  failingSince: row.failing_since?.getTime() ?? null,
  lastError: row.last_error,
});
