import { type Kysely, sql } from 'kysely';
import type { KeyedHash } from '#lib/keyed-hash.ts';
import type { SecretBox } from '#lib/secret-box.ts';
import type { OutcomeCount } from '#protocol/outcome.ts';
import type { UserKey } from '#storage/ports/user-activity.ts';
import { addOutcomes } from '#storage/sql/outcomes.ts';
import { affectedRows, query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableJson, toStorableText } from '#storage/sql/storable-json.ts';
import type {
  DataCounts,
  DataRequest,
  DataRequestNote,
  DataRequestState,
  DataRequestSubject,
  EraseStep,
  IdentifierHash,
} from '../data-request.ts';
import { sumOfRemoved } from './removed-counts.ts';

const ERROR_CHARACTERS_MAX = 1_000;

/** A request that a worker has taken, with what the person is called by; empty once that is forgotten. */
export type ClaimedRequest = DataRequest & { identifiers: readonly UserKey[] };

export type DataRequestChange = {
  state?: DataRequestState;
  step?: EraseStep | '';
  found?: DataCounts;
  /** Added to what was removed before. */
  removed?: DataCounts;
  note?: DataRequestNote;
  countedAt?: number;
  hiddenAt?: number;
  purgedAt?: number;
  finishedAt?: number;
  nextAt?: number;
  /** What it waits for, for people; forgotten with the next change. */
  waitsFor?: string | null;
  export?: { bytes: number; rows: number; expiresAt: number };
  forgetsIdentifiers?: boolean;
};

/**
 * Requests to export and to erase data. Source: PostgreSQL. What a person is called by is encrypted, and there only while
 * the request needs it.
 */
export function createDataRequestStore(db: Kysely<Database>, box: SecretBox, hash: KeyedHash) {
  const find = (organizationId: number, id: number): Promise<DataRequest | null> =>
    query<DataRequest>`
      SELECT ${COLUMNS} FROM data_requests WHERE organization_id = ${organizationId} AND id = ${id}`.first(
      db,
    );
  const open = (row: { id: number; identifiers: string | null }): readonly UserKey[] => {
    if (row.identifiers === null) return [];
    const text = box.open(row.identifiers, PLACE);
    if (text === null)
      throw new Error('The identifiers of the request were encrypted with another secret: file it again');
    return JSON.parse(text) as UserKey[];
  };
  return {
    find,

    hashesOf: (identifiers: readonly UserKey[]): readonly IdentifierHash[] =>
      identifiers.map(({ kind, value }) => ({ kind, hash: hash(`${kind}:${value.toLowerCase()}`) })),

    async create(request: {
      organizationId: number;
      organizationSlug: string;
      identifiers: readonly UserKey[];
      identifierHashes: readonly IdentifierHash[];
      notes: readonly DataRequestNote[];
      requestedBy: string | null;
      requestedByName: string;
      nowMs: number;
    }): Promise<DataRequest> {
      const { organizationId, nowMs } = request;
      const row = await query<{ id: number }>`
        INSERT INTO data_requests (organization_id, organization_slug, subject, state, identifiers, identifier_hashes, notes,
          requested_by, requested_by_name, created_at, next_at)
        VALUES (${organizationId}, ${request.organizationSlug}, 'person', 'counting',
          ${box.seal(JSON.stringify(request.identifiers), PLACE)}, ${toStorableJson(request.identifierHashes)}::jsonb,
          ${toStorableJson(request.notes)}::jsonb, ${request.requestedBy}, ${toStorableText(request.requestedByName)},
          ${new Date(nowMs)}, ${new Date(nowMs)})
        RETURNING id`.first(db);
      const made = row && (await find(organizationId, row.id));
      if (!made) throw new Error('The request that was just made is not there');
      return made;
    },

    /** A deleted project or organization, whose data is on its way out. */
    async createOfDeleted(request: {
      organizationId: number;
      organizationSlug: string;
      subject: Exclude<DataRequestSubject, 'person'>;
      subjectName: string;
      projectIds: readonly number[];
      requestedBy: string | null;
      requestedByName: string;
      nowMs: number;
    }): Promise<void> {
      const at = new Date(request.nowMs);
      const name = toStorableText(request.requestedByName);
      await sql`
        INSERT INTO data_requests (organization_id, organization_slug, subject, subject_name, project_ids, state, step,
          requested_by, requested_by_name, created_at, erase_requested_by, erase_requested_by_name, erase_requested_at,
          hidden_at, next_at)
        VALUES (${request.organizationId}, ${request.organizationSlug}, ${request.subject}, ${request.subjectName},
          ${request.projectIds}::bigint[], 'purging', 'settle', ${request.requestedBy}, ${name}, ${at},
          ${request.requestedBy}, ${name}, ${at}, ${at}, ${at})`.execute(db);
    },

    /** Newest first. */
    list: (organizationId: number, limit: number): Promise<readonly DataRequest[]> =>
      query<DataRequest>`
        SELECT ${COLUMNS} FROM data_requests WHERE organization_id = ${organizationId}
        ORDER BY id DESC LIMIT ${limit}`.execute(db),

    /** Of all organizations, deleted ones included; newest first, from below an id if there is one. For the operator. */
    listAll: (limit: number, beforeId: number | null): Promise<readonly DataRequest[]> =>
      query<DataRequest>`
        SELECT ${COLUMNS} FROM data_requests WHERE ${beforeId}::bigint IS NULL OR id < ${beforeId}
        ORDER BY id DESC LIMIT ${limit}`.execute(db),

    /** What the person is called by, for who may see the request; empty once it is forgotten. */
    async readIdentifiers(organizationId: number, id: number): Promise<readonly UserKey[]> {
      const row = await query<{ id: number; identifiers: string | null }>`
        SELECT id, identifiers FROM data_requests WHERE organization_id = ${organizationId} AND id = ${id}`.first(
        db,
      );
      return row ? open(row) : [];
    },

    /** Finished erasures of one of the identifiers, newest first. */
    listErased: (
      organizationId: number,
      hashes: readonly IdentifierHash[],
      limit: number,
    ): Promise<readonly DataRequest[]> =>
      query<DataRequest>`
        SELECT ${COLUMNS} FROM data_requests
        WHERE organization_id = ${organizationId} AND state = 'erased' AND EXISTS (
          SELECT FROM jsonb_array_elements(identifier_hashes) AS known
          WHERE known ->> 'hash' = ANY(${hashes.map((each) => each.hash)}::text[]))
        ORDER BY id DESC LIMIT ${limit}`.execute(db),

    /** Requests of one of the identifiers that have an export. */
    async listExportsOf(
      organizationId: number,
      hashes: readonly IdentifierHash[],
    ): Promise<readonly number[]> {
      const rows = await query<{ id: number }>`
        SELECT id FROM data_requests
        WHERE organization_id = ${organizationId} AND export_bytes IS NOT NULL AND EXISTS (
          SELECT FROM jsonb_array_elements(identifier_hashes) AS known
          WHERE known ->> 'hash' = ANY(${hashes.map((each) => each.hash)}::text[]))`.execute(db);
      return rows.map(({ id }) => id);
    },

    /** How many wait or are under way. */
    async countOpen(organizationId: number): Promise<number> {
      const row = await query<{ count: number }>`
        SELECT count(*) AS count FROM data_requests
        WHERE organization_id = ${organizationId} AND state NOT IN ('erased', 'canceled')`.first(db);
      return row?.count ?? 0;
    },

    /**
     * From the state `counted`; a request can be canceled while it is counted or exported too, and is then no worker's any
     * more. False when it is in another state.
     */
    async begin(
      organizationId: number,
      id: number,
      what: 'exporting' | 'erasing' | 'canceled',
      by: { userId: string | null; name: string },
      nowMs: number,
    ): Promise<boolean> {
      const at = new Date(nowMs);
      const from = what === 'canceled' ? ['counting', 'counted', 'exporting'] : ['counted'];
      const changed = await affectedRows`
        UPDATE data_requests SET state = ${what}, next_at = ${at}, last_error = NULL,
          step = CASE WHEN ${what} = 'erasing' THEN 'note' ELSE '' END,
          export_requested_by = CASE WHEN ${what} = 'exporting' THEN ${by.userId} ELSE export_requested_by END,
          erase_requested_by = CASE WHEN ${what} = 'erasing' THEN ${by.userId} END,
          erase_requested_by_name = CASE WHEN ${what} = 'erasing' THEN ${toStorableText(by.name)} END,
          erase_requested_at = CASE WHEN ${what} = 'erasing' THEN ${at}::timestamptz END,
          finished_at = CASE WHEN ${what} = 'canceled' THEN ${at}::timestamptz END,
          identifiers = CASE WHEN ${what} = 'canceled' THEN NULL ELSE identifiers END,
          lease_owner = CASE WHEN ${what} = 'canceled' THEN NULL ELSE lease_owner END,
          lease_until = CASE WHEN ${what} = 'canceled' THEN NULL ELSE lease_until END
        WHERE organization_id = ${organizationId} AND id = ${id} AND state = ANY(${from}::text[])`.execute(
        db,
      );
      return changed === 1;
    },

    /** One that is due and that nobody works on; it is the owner's for `leaseMs` after each of its steps. */
    async claim(owner: string, leaseMs: number, nowMs: number): Promise<ClaimedRequest | null> {
      const now = new Date(nowMs);
      const row = await query<DataRequest & { identifiers: string | null }>`
        UPDATE data_requests SET lease_owner = ${owner}, lease_until = ${new Date(nowMs + leaseMs)}
        WHERE id = (
          SELECT id FROM data_requests
          WHERE state IN ('counting', 'exporting', 'erasing', 'purging') AND next_at <= ${now}
            AND (lease_until IS NULL OR lease_until < ${now} OR lease_owner = ${owner})
          ORDER BY last_error IS NOT NULL, next_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
        RETURNING ${COLUMNS}, identifiers`.first(db);
      if (!row) return null;
      const { identifiers, ...request } = row;
      return { ...request, identifiers: open({ id: row.id, identifiers }) };
    },

    /** The end of a step: what it did, and what comes next. False when the request was canceled, or is another worker's by now. */
    async change(
      id: number,
      owner: string,
      change: DataRequestChange,
      leaseMs: number,
      nowMs: number,
    ): Promise<boolean> {
      const at = (ms: number | undefined) => (ms === undefined ? null : new Date(ms));
      const changed = await affectedRows`
        UPDATE data_requests SET
          state = coalesce(${change.state ?? null}, state),
          step = coalesce(${change.step ?? null}, step),
          found = coalesce(${change.found ? toStorableJson(change.found) : null}::jsonb, found),
          removed = ${sumOfRemoved(change.removed ?? {})},
          notes = CASE WHEN ${change.note ?? null}::text IS NULL OR notes ? ${change.note ?? ''} THEN notes
            ELSE notes || to_jsonb(${change.note ?? ''}::text) END,
          counted_at = coalesce(${at(change.countedAt)}, counted_at),
          hidden_at = coalesce(hidden_at, ${at(change.hiddenAt)}),
          purged_at = coalesce(${at(change.purgedAt)}, purged_at),
          finished_at = coalesce(${at(change.finishedAt)}, finished_at),
          next_at = coalesce(${at(change.nextAt)}, next_at),
          export_bytes = coalesce(${change.export?.bytes ?? null}, export_bytes),
          export_rows = coalesce(${change.export?.rows ?? null}, export_rows),
          export_expires_at = coalesce(${at(change.export?.expiresAt)}, export_expires_at),
          identifiers = CASE WHEN ${change.forgetsIdentifiers ?? false} THEN NULL ELSE identifiers END,
          lease_until = ${new Date(nowMs + leaseMs)},
          last_error = ${shorten(change.waitsFor ?? null)}
        WHERE id = ${id} AND lease_owner = ${owner}`.execute(db);
      return changed === 1;
    },

    /** False when the request was canceled, or is another worker's by now. */
    async extend(id: number, owner: string, leaseMs: number, nowMs: number): Promise<boolean> {
      const changed = await affectedRows`
        UPDATE data_requests SET lease_until = ${new Date(nowMs + leaseMs)}
        WHERE id = ${id} AND lease_owner = ${owner}`.execute(db);
      return changed === 1;
    },

    /** It goes on later, or with another worker. */
    async release(id: number, owner: string, error: string | null, nextAtMs: number): Promise<void> {
      await sql`
        UPDATE data_requests SET lease_owner = NULL, lease_until = NULL, next_at = ${new Date(nextAtMs)},
          last_error = ${shorten(error)}
        WHERE id = ${id} AND lease_owner = ${owner}`.execute(db);
    },

    /** Exports that are past their time, or whose request is over. */
    listExpired: (nowMs: number, limit: number): Promise<readonly { id: number }[]> =>
      query<{ id: number }>`
        SELECT id FROM data_requests
        WHERE export_bytes IS NOT NULL AND (export_expires_at <= ${new Date(nowMs)} OR state IN ('erased', 'canceled'))
        ORDER BY id LIMIT ${limit}`.execute(db),

    async forgetExport(id: number): Promise<void> {
      await sql`
        UPDATE data_requests SET export_bytes = NULL, export_rows = NULL, export_expires_at = NULL
        WHERE id = ${id}`.execute(db);
    },

    /** Requests that nobody went on with: what they are about is forgotten. */
    async cancelIdle(beforeMs: number, nowMs: number): Promise<void> {
      await sql`
        UPDATE data_requests SET state = 'canceled', identifiers = NULL, finished_at = ${new Date(nowMs)}
        WHERE state = 'counted' AND greatest(counted_at, export_expires_at) < ${new Date(beforeMs)}`.execute(
        db,
      );
    },

    /** Those of the requests that are over. */
    async filterOver(ids: readonly number[]): Promise<readonly number[]> {
      const rows = await query<{ id: number }>`
        SELECT id FROM data_requests WHERE id = ANY(${ids}::bigint[]) AND state IN ('erased', 'canceled')`.execute(
        db,
      );
      return rows.map(({ id }) => id);
    },

    addOutcomes: (outcomes: readonly OutcomeCount[]): Promise<void> =>
      db.transaction().execute((transaction) => addOutcomes(transaction, outcomes)),
  };
}

export type DataRequestStore = ReturnType<typeof createDataRequestStore>;

const shorten = (error: string | null): string | null =>
  error === null ? null : toStorableText(error.slice(0, ERROR_CHARACTERS_MAX));

/** Where sealed identifiers belong. */
const PLACE = 'data-request';

const COLUMNS = sql`id, organization_id, organization_slug, subject, subject_name, to_jsonb(project_ids) AS project_ids, state, step, identifier_hashes,
  found, removed, notes, requested_by_name, created_at, counted_at, erase_requested_by_name, erase_requested_at, hidden_at,
  purged_at, finished_at, export_requested_by, export_bytes, export_rows, export_expires_at, next_at, last_error`;
