import { z } from 'zod';
import { get, type Operation } from '#app/api/0/operation.ts';
import { PAGE, RANGE, text } from '#app/api/0/query.ts';
import { NAMED } from '#app/api/0/shapes/parts.ts';
import { AUDIT_ACTIONS, auditWords } from '#product/audit/audit-actions.ts';
import { listAuditEntries } from '#product/audit/audit-log.ts';
import type { AuditEntry } from '#product/audit/audit-store.ts';

export const AUDIT_ENTRY = z
  .object({
    id: z.string(),
    actor: NAMED.partial({ id: true }),
    event: z.string(),
    ipAddress: z.string().nullable(),
    note: z.string(),
    targetObject: z.string().nullable(),
    targetUser: z.null(),
    data: z.looseObject({
      target: z.object({ kind: z.string(), id: z.string().nullable(), name: z.string() }),
      actorKind: z.enum(['user', 'token', 'organization_token', 'system']),
      tokenId: z.number().nullable(),
    }),
    dateCreated: z.string(),
  })
  .meta({ id: 'AuditEntry' });

export const auditLogOperations: readonly Operation[] = [
  /** `event` and `actor` narrow it, `statsPeriod` or `start` and `end` too. Source: Sentry's `audit-logs` endpoint. */
  get('organizations/[org]/audit-logs', {
    summary: 'Lists audit log entries',
    scopes: ['org:write'],
    query: {
      ...PAGE,
      ...RANGE,
      event: text('Filter by action'),
      actor: text('Filter by user'),
    },
    answer: z.object({ rows: z.array(AUDIT_ENTRY), options: z.array(z.string()) }),
    isPaged: true,
    async handle({ ctx, query, page }) {
      const { range } = query;
      const reply = await page(async (cursor) => {
        const { entries, nextCursor } = await listAuditEntries(ctx, {
          action: query.event || undefined,
          actorUserId: query.actor || undefined,
          fromMs: range?.fromMs,
          toMs: range?.toMs,
          cursor,
          limit: query.limit,
        });
        return { rows: entries.map(serializeAuditEntry), nextCursor };
      });
      return reply.wrap((rows) => ({ rows, options: Object.keys(AUDIT_ACTIONS) }));
    },
  }),
];

/** Source of the fields: the `rows` of `GET /api/0/organizations/{organization}/audit-logs/`. */
export function serializeAuditEntry(entry: AuditEntry) {
  const { id, actor, action, ipAddress, target, data, at } = entry;
  return {
    id: String(id),
    actor: actor.userId === null ? { name: actor.name } : { id: actor.userId, name: actor.name },
    event: action,
    ipAddress,
    note: `${auditWords(action)} ${target.name}`,
    targetObject: target.id,
    targetUser: null,
    data: { ...data, target, actorKind: actor.kind, tokenId: actor.tokenId },
    dateCreated: new Date(at).toISOString(),
  };
}
