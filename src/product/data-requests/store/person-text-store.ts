import { type Kysely, type RawBuilder, sql } from 'kysely';
import { isDistinctive, patternOf } from '#domain/person-names.ts';
import type { UserKey } from '#storage/ports/user-activity.ts';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import type { DataCounts } from '../data-request.ts';
import { TABLES_REWRITTEN, TEXT_PLACES, type TextPlace } from './text-places.ts';

/** What stands for a name that was taken away. */
export const ERASED_TEXT = '[erased]';
/** Records read at once: a record may have megabytes. */
const RECORDS_PER_PAGE = 20;

/** Texts of the relational store that name a person. Source: PostgreSQL. */
export function createPersonTextStore(db: Kysely<Database>) {
  const listQuarantine = async (
    organizationId: number,
    identifiers: readonly UserKey[],
    visit: (id: number, record: Buffer) => Promise<void>,
  ): Promise<void> => {
    const names = namesInRecord(identifiers);
    for (let after = 0; ; ) {
      const rows = await query<{ id: number; record: Buffer; detail: string }>`
        SELECT id, record, detail FROM quarantine WHERE organization_id = ${organizationId} AND id > ${after}
        ORDER BY id LIMIT ${RECORDS_PER_PAGE}`.execute(db);
      for (const { id, record, detail } of rows) {
        const text = record.toString('utf8');
        if (names.some((name) => name.test(text) || name.test(detail))) await visit(id, record);
      }
      after = rows.at(-1)?.id ?? after;
      if (rows.length < RECORDS_PER_PAGE) return;
    }
  };
  return {
    places: TEXT_PLACES,

    /** Tables that are rewritten, so that nothing of what was deleted or changed in them is left. */
    tables: TABLES_REWRITTEN,

    /** How many rows of each kind name the person. */
    async count(organizationId: number, identifiers: readonly UserKey[]): Promise<DataCounts> {
      const counts: DataCounts = {};
      const names = textNames(identifiers);
      for (const place of names.length === 0 ? [] : TEXT_PLACES) {
        const row = await query<{ count: number }>`
          SELECT count(*) AS count FROM ${sql.table(place.table)}
          WHERE ${place.scope(organizationId)} AND ${isNamedIn(place, names)}`.first(db);
        add(counts, place.kind, row?.count ?? 0);
      }
      await listQuarantine(organizationId, identifiers, async () => add(counts, 'quarantine', 1));
      return counts;
    },

    /** Rows of one place after so many, as JSON. */
    list: (
      place: TextPlace,
      organizationId: number,
      identifiers: readonly UserKey[],
      { limit, offset }: { limit: number; offset: number },
    ): Promise<readonly { row: Record<string, unknown> }[]> => {
      const names = textNames(identifiers);
      if (names.length === 0) return Promise.resolve([]);
      return query<{ row: Record<string, unknown> }>`
        SELECT to_jsonb(place.*) AS row FROM ${sql.table(place.table)} AS place
        WHERE ${place.scope(organizationId)} AND ${isNamedIn(place, names)}
        ORDER BY ${sql.ref(place.key)} LIMIT ${limit} OFFSET ${offset}`.execute(db);
    },

    listQuarantine,

    /**
     * Puts `[erased]` for the names, and deletes records in quarantine that hold one. Answers how many rows it changed; may
     * be repeated. Identifiers that `keeps` are left in the audit log.
     */
    async erase(
      organizationId: number,
      identifiers: readonly UserKey[],
      keptInAuditLog: readonly UserKey[],
    ): Promise<DataCounts> {
      const counts: DataCounts = {};
      for (const place of TEXT_PLACES) {
        const named =
          place.kind === 'auditLog'
            ? identifiers.filter((key) => !keptInAuditLog.includes(key))
            : identifiers;
        const names = textNames(named);
        if (names.length === 0) continue;
        const changes = [
          ...place.texts.map((column) => sql`${sql.ref(column)} = ${blanked(sql.ref(column), names)}`),
          ...place.json.map(
            (column) => sql`${sql.ref(column)} = (${blanked(sql`${sql.ref(column)}::text`, names)})::jsonb`,
          ),
        ];
        const { numAffectedRows } = await sql`
          UPDATE ${sql.table(place.table)} SET ${sql.join(changes)}
          WHERE ${place.scope(organizationId)} AND ${isNamedIn(place, names)}`.execute(db);
        add(counts, place.kind, Number(numAffectedRows ?? 0));
      }
      const records: number[] = [];
      await listQuarantine(organizationId, identifiers, async (id) => void records.push(id));
      await sql`
        DELETE FROM quarantine WHERE organization_id = ${organizationId} AND id = ANY(${records}::bigint[])`.execute(
        db,
      );
      add(counts, 'quarantine', records.length);
      return counts;
    },

    /** Identifiers that are the email address of a member's account. */
    async findMembers(organizationId: number, identifiers: readonly UserKey[]): Promise<readonly UserKey[]> {
      const emails = identifiers
        .filter(({ kind }) => kind === 'email')
        .map(({ value }) => value.toLowerCase());
      if (emails.length === 0) return [];
      const rows = await query<{ email: string }>`
        SELECT lower(users.email) AS email FROM users JOIN memberships ON memberships.user_id = users.id
        WHERE memberships.organization_id = ${organizationId} AND lower(users.email) = ANY(${emails}::text[])
      `.execute(db);
      const found = new Set(rows.map(({ email }) => email));
      return identifiers.filter(({ kind, value }) => kind === 'email' && found.has(value.toLowerCase()));
    },
  };
}

export type PersonTextStore = ReturnType<typeof createPersonTextStore>;

const add = (counts: DataCounts, kind: keyof DataCounts, count: number): void => {
  if (count > 0) counts[kind] = (counts[kind] ?? 0) + count;
};

/** Patterns of the names that a text may be searched for. */
const textNames = (identifiers: readonly UserKey[]): readonly string[] =>
  identifiers.filter(isDistinctive).map((key) => {
    const { pattern, ignoresCase } = patternOf(key);
    return `${ignoresCase ? '(?i)' : ''}${pattern}`;
  });

function isNamedIn({ texts, json }: TextPlace, names: readonly string[]) {
  const columns = [
    ...texts.map((column) => sql`${sql.ref(column)}`),
    ...json.map((column) => sql`${sql.ref(column)}::text`),
  ];
  const conditions = columns.flatMap((column) => names.map((name) => sql`${column} ~ ${name}`));
  return sql`(${sql.join(conditions, sql` OR `)})`;
}

/** Twice for each: one match takes the sign between two names along. */
function blanked(text: RawBuilder<unknown>, names: readonly string[]): RawBuilder<unknown> {
  return [...names, ...names].reduce<RawBuilder<unknown>>(
    (inner, name) => sql`regexp_replace(${inner}, ${name}, ${`\\1${ERASED_TEXT}\\3`}, 'g')`,
    text,
  );
}

/** In a record as it was sent: a short ID only where it is the value of a user's field. */
function namesInRecord(identifiers: readonly UserKey[]): readonly RegExp[] {
  return identifiers.map((key) => {
    const { pattern, ignoresCase } = patternOf(key);
    if (isDistinctive(key)) return new RegExp(pattern, ignoresCase ? 'i' : '');
    const value = JSON.stringify(key.value)
      .slice(1, -1)
      .replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
    return new RegExp(
      `"${key.kind === 'id' ? '(?:user\\.)?id|did' : '(?:user)?name'}"\\s*:\\s*"?${value}["\\s,}]`,
    );
  });
}
