import { type Kysely, sql } from 'kysely';
import { conflict } from '#lib/errors.ts';
import type { SecretBox } from '#lib/secret-box.ts';
import { refuseTaken } from '#storage/sql/postgres-errors.ts';
import { affectedRows, query, userNamed } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableJson } from '#storage/sql/storable-json.ts';
import type { DestinationKind } from './destination-kinds.ts';

/**
 * Where messages go. `config` holds what everybody of the organization may see, `secret` what lets whoever knows it post;
 * both by kind, as src/product/destinations/destination-kinds.ts describes them.
 */
export type Destination = {
  id: number;
  organizationId: number;
  kind: DestinationKind;
  name: string;
  config: Readonly<Record<string, string>>;
  createdBy: { id: string; name: string } | null;
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** null before the first message. */
  lastSentAt: number | null;
  /** Since when every message failed; null when the last one was taken. */
  failingSince: number | null;
  lastError: string | null;
};

export type DestinationSecret = Readonly<Record<string, string>>;

export type SecretReading =
  | { kind: 'read'; secret: DestinationSecret }
  | { kind: 'absent' }
  /** It was encrypted with another secret of the instance. */
  | { kind: 'unreadable' };

/**
 * Destinations. Source: PostgreSQL. What a destination is posted with is encrypted for its organization: a row copied into
 * another one opens nothing. Every call is scoped by organization.
 */
export function createDestinationStore(db: Kysely<Database>, box: SecretBox) {
  const seal = (organizationId: number, secret: DestinationSecret) =>
    box.seal(JSON.stringify(secret), String(organizationId));
  const find = (organizationId: number, id: number): Promise<Destination | null> =>
    query<Destination>`
      SELECT ${DESTINATION} FROM destinations ${WITH_CREATOR}
      WHERE destinations.organization_id = ${organizationId} AND destinations.id = ${id}`.first(db);
  return {
    /** By name. */
    list: (organizationId: number): Promise<readonly Destination[]> =>
      query<Destination>`
        SELECT ${DESTINATION} FROM destinations ${WITH_CREATOR}
        WHERE destinations.organization_id = ${organizationId}
        ORDER BY lower(destinations.name), destinations.id`.execute(db),

    find,

    /** Only delivery, and changes that keep a part of it, ask for it. */
    async readSecret(organizationId: number, id: number): Promise<SecretReading> {
      const row = await query<{ secret: string }>`
        SELECT secret FROM destinations WHERE organization_id = ${organizationId} AND id = ${id}`.first(db);
      if (!row) return { kind: 'absent' };
      const text = box.open(row.secret, String(organizationId));
      if (text === null) return { kind: 'unreadable' };
      return { kind: 'read', secret: JSON.parse(text) as DestinationSecret };
    },

    /** Throws Conflict for a name that is taken. */
    async add(
      organizationId: number,
      {
        kind,
        name,
        config,
        secret,
      }: Pick<Destination, 'kind' | 'name' | 'config'> & { secret: DestinationSecret },
      userId: string | null,
      atMs: number,
    ): Promise<Destination> {
      return await refuseTaken(NAME, nameTaken(name), async () => {
        const row = await query<{ id: number }>`
          INSERT INTO destinations (organization_id, kind, name, config, secret, created_by, created_at)
          VALUES (${organizationId}, ${kind}, ${name}, ${toStorableJson(config)}::jsonb, ${seal(organizationId, secret)},
            ${userId}, ${new Date(atMs)})
          RETURNING id`.first(db);
        return (await find(organizationId, row!.id))!;
      });
    },

    /** `secret` null keeps what is stored. null when there is none; throws Conflict for a name that is taken. */
    async update(
      organizationId: number,
      id: number,
      {
        name,
        config,
        secret,
      }: { name: string; config: Destination['config']; secret: DestinationSecret | null },
    ): Promise<Destination | null> {
      return await refuseTaken(NAME, nameTaken(name), async () => {
        const kept = secret === null ? null : seal(organizationId, secret);
        await sql`
          UPDATE destinations SET name = ${name}, config = ${toStorableJson(config)}::jsonb,
            secret = coalesce(${kept}, secret)
          WHERE organization_id = ${organizationId} AND id = ${id}`.execute(db);
        return await find(organizationId, id);
      });
    },

    /** False when there is none. Rules that name it notify one receiver less. */
    async remove(organizationId: number, id: number): Promise<boolean> {
      const removed = await affectedRows`
        DELETE FROM destinations WHERE organization_id = ${organizationId} AND id = ${id}`.execute(db);
      return removed === 1;
    },

    /** The last message was taken (`error` null), or failed. */
    async noteResult(organizationId: number, id: number, error: string | null, atMs: number): Promise<void> {
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

export type DestinationStore = ReturnType<typeof createDestinationStore>;

const NAME = 'destinations_name_uidx';

const nameTaken = (name: string) => () =>
  conflict(`A destination named "${name}" already exists: choose another name`, 'name');

const DESTINATION = sql`destinations.id, destinations.organization_id, destinations.kind, destinations.name,
  destinations.config, ${userNamed('creator')} AS created_by, destinations.created_at,
  destinations.last_sent_at, destinations.failing_since, destinations.last_error`;

const WITH_CREATOR = sql`LEFT JOIN users AS creator ON creator.id = destinations.created_by`;
