import { csvLine } from '#lib/csv-line.ts';
import { invalid } from '#lib/errors.ts';
import { DAY_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import type { Stores } from '#product/stores.ts';
import type { AuditEntry, AuditQuery } from './audit-store.ts';

const ROWS_MAX = 100;
const ACTORS_MAX = 1_000;

export type AuditPage = {
  entries: readonly AuditEntry[];
  /** For the next page; null on the last. */
  nextCursor: string | null;
};

/** Newest first. `cursor` is that of an earlier page. Throws Invalid for a cursor that none gave. */
export async function listAuditEntries(
  ctx: Context,
  input: Omit<AuditQuery, 'beforeId'> & { cursor?: string | null; limit?: number },
): Promise<AuditPage> {
  requireRight(ctx, 'org:write');
  const { cursor, limit = ROWS_MAX, ...query } = input;
  const beforeId = cursor ? readCursor(cursor) : undefined;
  const rows = Math.min(limit, ROWS_MAX);
  const found = await ctx.stores.audit.list(ctx.organization.id, { ...query, beforeId }, rows + 1);
  const entries = found.slice(0, rows);
  return { entries, nextCursor: found.length > rows ? String(entries.at(-1)?.id) : null };
}

/** Who has an entry, by name; for choosing among. */
export async function listAuditActors(ctx: Context): Promise<readonly { userId: string; name: string }[]> {
  requireRight(ctx, 'org:write');
  return ctx.stores.audit.listActors(ctx.organization.id, ACTORS_MAX);
}

function readCursor(cursor: string): number {
  if (!/^[1-9]\d{0,14}$/.test(cursor))
    throw invalid(
      'The cursor is invalid: use one from the Link header, or start again without a cursor',
      'cursor',
    );
  return Number(cursor);
}

/** What one export holds at most: the newest so many. */
export const AUDIT_EXPORT_ROWS_MAX = 100_000;

const EXPORTED_ROWS = 1_000;

const COLUMNS: readonly (readonly [string, (entry: AuditEntry) => string])[] = [
  ['time', (entry) => new Date(entry.at).toISOString()],
  ['action', (entry) => entry.action],
  ['actor', (entry) => entry.actor.name],
  ['actor_kind', (entry) => entry.actor.kind],
  ['actor_user_id', (entry) => entry.actor.userId ?? ''],
  ['token_id', (entry) => String(entry.actor.tokenId ?? '')],
  ['ip_address', (entry) => entry.ipAddress ?? ''],
  ['target_kind', (entry) => entry.target.kind],
  ['target_id', (entry) => entry.target.id ?? ''],
  ['target', (entry) => entry.target.name],
  ['data', (entry) => JSON.stringify(entry.data)],
];

/** The entries as CSV (RFC 4180), newest first, in pieces. For owners. */
export async function* exportAuditEntries(
  ctx: Context,
  query: Omit<AuditQuery, 'beforeId'>,
): AsyncGenerator<string> {
  requireRight(ctx, 'org:admin');
  yield csvLine(COLUMNS.map(([name]) => name));
  let beforeId: number | undefined;
  for (let rows = 0; rows < AUDIT_EXPORT_ROWS_MAX; rows += EXPORTED_ROWS) {
    const entries = await ctx.stores.audit.list(ctx.organization.id, { ...query, beforeId }, EXPORTED_ROWS);
    yield entries.map((entry) => csvLine(COLUMNS.map(([, read]) => read(entry)))).join('');
    if (entries.length < EXPORTED_ROWS) return;
    beforeId = entries.at(-1)?.id;
  }
}

export const AUDIT_DAYS = 365;
const ROWS_PER_RUN_MAX = 100_000;

const FORGOTTEN_ROWS = 5_000;

/** Entries older than a year go. Answers how many. */
export async function forgetAuditEntries(stores: Pick<Stores, 'audit'>, nowMs: number): Promise<number> {
  let gone = 0;
  while (gone < ROWS_PER_RUN_MAX) {
    const step = await stores.audit.deleteBefore(nowMs - AUDIT_DAYS * DAY_MS, FORGOTTEN_ROWS);
    gone += step;
    if (step < FORGOTTEN_ROWS) break;
  }
  return gone;
}
