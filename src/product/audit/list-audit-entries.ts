import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import type { AuditEntry, AuditQuery } from '#storage/ports/audit.ts';

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
  if (!/^[1-9]\d{0,14}$/.test(cursor)) throw invalid('The cursor is none that a page gave', 'cursor');
  return Number(cursor);
}
