import { csvLine } from '#lib/csv-line.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import type { AuditEntry, AuditQuery } from '#storage/ports/audit.ts';

/** What one export holds at most: the newest so many. */
export const AUDIT_EXPORT_ROWS_MAX = 100_000;
const STEP_ROWS = 1_000;

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
  for (let rows = 0; rows < AUDIT_EXPORT_ROWS_MAX; rows += STEP_ROWS) {
    const entries = await ctx.stores.audit.list(ctx.organization.id, { ...query, beforeId }, STEP_ROWS);
    yield entries.map((entry) => csvLine(COLUMNS.map(([, read]) => read(entry)))).join('');
    if (entries.length < STEP_ROWS) return;
    beforeId = entries.at(-1)?.id;
  }
}
