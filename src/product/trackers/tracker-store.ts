import { type Kysely, sql } from 'kysely';
import { conflict } from '#lib/errors.ts';
import type { SecretBox } from '#lib/secret-box.ts';
import { refuseTaken } from '#storage/sql/postgres-errors.ts';
import { affectedRows, query, userNamed } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableText } from '#storage/sql/storable-json.ts';
import type { TrackerKind } from './tracker-kinds.ts';

/** Where an organization keeps its work. */
export type Tracker = {
  id: number;
  organizationId: number;
  kind: TrackerKind;
  name: string;
  /** Of its pages, without a trailing slash. */
  url: string;
  /** What is signed in with beside the token; null where the token is enough. */
  login: string | null;
  /** Whose the token is, as the tracker calls them. */
  account: string;
  createdBy: { id: string; name: string } | null;
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** When its webhook last reported something; null before it ever did. */
  lastHookAt: number | null;
};

/** The token, and what its webhooks are signed with. */
export type TrackerSecrets = { token: string; hookSecret: string };

export type TrackerSecretReading =
  | { kind: 'read'; secrets: TrackerSecrets }
  | { kind: 'absent' }
  /** They were encrypted with another secret of the instance. */
  | { kind: 'unreadable' };

export type TrackerDraft = Pick<Tracker, 'kind' | 'name' | 'url' | 'login' | 'account'>;

/**
 * Trackers. Source: PostgreSQL. Secrets are encrypted for their organization and what they are: a row copied elsewhere opens
 * nothing. Every call is scoped by organization.
 */
export function createTrackerStore(db: Kysely<Database>, box: SecretBox) {
  const find = (organizationId: number, id: number): Promise<Tracker | null> =>
    query<Tracker>`
      SELECT ${TRACKER} FROM trackers ${WITH_CREATOR}
      WHERE trackers.organization_id = ${organizationId} AND trackers.id = ${id}`.first(db);
  return {
    /** By name. */
    list: (organizationId: number): Promise<readonly Tracker[]> =>
      query<Tracker>`
        SELECT ${TRACKER} FROM trackers ${WITH_CREATOR} WHERE trackers.organization_id = ${organizationId}
        ORDER BY lower(trackers.name), trackers.id`.execute(db),

    find,

    async readSecrets(organizationId: number, id: number): Promise<TrackerSecretReading> {
      const sealed = await query<TrackerSecrets>`
        SELECT token, hook_secret FROM trackers WHERE organization_id = ${organizationId} AND id = ${id}`.first(
        db,
      );
      if (!sealed) return { kind: 'absent' };
      const token = box.open(sealed.token, tokenPlace(organizationId));
      const hookSecret = box.open(sealed.hookSecret, hookPlace(organizationId));
      if (token === null || hookSecret === null) return { kind: 'unreadable' };
      return { kind: 'read', secrets: { token, hookSecret } };
    },

    /** Throws Conflict for a name that is taken. */
    async add(
      organizationId: number,
      { kind, name, url, login, account }: TrackerDraft,
      { token, hookSecret }: TrackerSecrets,
      userId: string | null,
      atMs: number,
    ): Promise<Tracker> {
      return await refuseTaken(NAME, nameTaken(name), async () => {
        const row = await query<{ id: number }>`
          INSERT INTO trackers (organization_id, kind, name, url, login, account, token, hook_secret, created_by,
            created_at)
          VALUES (${organizationId}, ${kind}, ${toStorableText(name)}, ${url}, ${login}, ${toStorableText(account)},
            ${box.seal(token, tokenPlace(organizationId))}, ${box.seal(hookSecret, hookPlace(organizationId))},
            ${userId}, ${new Date(atMs)})
          RETURNING id`.first(db);
        return (await find(organizationId, row!.id))!;
      });
    },

    /** The kind stays; `token` null keeps it. null when there is none. Throws Conflict for a name that is taken. */
    async update(
      organizationId: number,
      id: number,
      { name, url, login, account, token }: Omit<TrackerDraft, 'kind'> & { token: string | null },
    ): Promise<Tracker | null> {
      return await refuseTaken(NAME, nameTaken(name), async () => {
        const sealed = token === null ? null : box.seal(token, tokenPlace(organizationId));
        await sql`
          UPDATE trackers SET name = ${toStorableText(name)}, url = ${url}, login = ${login},
            account = ${toStorableText(account)}, token = coalesce(${sealed}, token)
          WHERE organization_id = ${organizationId} AND id = ${id}`.execute(db);
        return await find(organizationId, id);
      });
    },

    /** False when there is none. */
    async setHookSecret(organizationId: number, id: number, hookSecret: string): Promise<boolean> {
      const changed = await affectedRows`
        UPDATE trackers SET hook_secret = ${box.seal(hookSecret, hookPlace(organizationId))}
        WHERE organization_id = ${organizationId} AND id = ${id}`.execute(db);
      return changed === 1;
    },

    /** Links to it stay, as addresses. False when there is none. */
    async remove(organizationId: number, id: number): Promise<boolean> {
      const removed = await affectedRows`
        DELETE FROM trackers WHERE organization_id = ${organizationId} AND id = ${id}`.execute(db);
      return removed === 1;
    },

    /** Whether it sent a message of one of the names before. */
    async knowsHook(organizationId: number, id: number, deliveryIds: readonly string[]): Promise<boolean> {
      const { rows } = await sql`
        SELECT FROM tracker_hooks JOIN trackers ON trackers.id = tracker_id
        WHERE organization_id = ${organizationId} AND tracker_id = ${id}
          AND delivery_id = ANY(${deliveryIds.map(toStorableText)}::text[]) LIMIT 1`.execute(db);
      return rows.length > 0;
    },

    /** Notes that it sent a message, under each of the names. */
    async rememberHook(
      organizationId: number,
      id: number,
      deliveryIds: readonly string[],
      atMs: number,
    ): Promise<void> {
      const at = new Date(atMs);
      await sql`
        WITH sender AS (
          UPDATE trackers SET last_hook_at = ${at} WHERE organization_id = ${organizationId} AND id = ${id} RETURNING id
        )
        INSERT INTO tracker_hooks (tracker_id, delivery_id, received_at)
        SELECT id, delivery_id, ${at} FROM sender, unnest(${deliveryIds.map(toStorableText)}::text[]) AS delivery_id
        ON CONFLICT DO NOTHING`.execute(db);
    },

    /** Messages of all organizations that came before that, at most `limit`. Answers how many. */
    forgetHooks: (beforeMs: number, limit: number): Promise<number> =>
      affectedRows`
        DELETE FROM tracker_hooks WHERE (tracker_id, delivery_id) IN (
          SELECT tracker_id, delivery_id FROM tracker_hooks WHERE received_at < ${new Date(beforeMs)} LIMIT ${limit}
        )`.execute(db),
  };
}

export type TrackerStore = ReturnType<typeof createTrackerStore>;

const tokenPlace = (organizationId: number): string => `${organizationId} token`;
const hookPlace = (organizationId: number): string => `${organizationId} hook`;

const NAME = 'trackers_name_uidx';

const nameTaken = (name: string) => () =>
  conflict(`"${name}" is already connected: choose another name`, 'name');

const TRACKER = sql`trackers.id, trackers.organization_id, trackers.kind, trackers.name, trackers.url, trackers.login,
  trackers.account, ${userNamed('creator')} AS created_by, trackers.created_at, trackers.last_hook_at`;

const WITH_CREATOR = sql`LEFT JOIN users AS creator ON creator.id = trackers.created_by`;
