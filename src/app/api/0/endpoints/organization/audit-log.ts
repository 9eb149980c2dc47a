import { z } from 'zod';
import { get, type Operation } from '#app/api/0/operation.ts';
import { PAGE, RANGE, text } from '#app/api/0/query.ts';
import { idOf, isoMs, NULL, shapeOf } from '#app/api/0/shape.ts';
import { NAMED } from '#app/api/0/shapes/parts.ts';
import { AUDIT_ACTIONS, auditWords } from '#product/audit/audit-actions.ts';
import { listAuditEntries } from '#product/audit/audit-log.ts';
import type { AuditEntry } from '#product/audit/audit-store.ts';

/** Source of the fields: the `rows` of `GET /api/0/organizations/{organization}/audit-logs/`. */
export const [AUDIT_ENTRY, serializeAuditEntry] = shapeOf<AuditEntry>()(
  {
    id: idOf('id'),
    actor: [
      NAMED.partial({ id: true }),
      ({ actor: { userId, name } }) => (userId === null ? { name } : { id: userId, name }),
    ],
    event: [z.string(), 'action'],
    ipAddress: z.string().nullable(),
    note: [z.string(), ({ action, target }) => `${auditWords(action)} ${target.name}`],
    targetObject: [z.string().nullable(), ({ target }) => target.id],
    targetUser: NULL,
    data: [
      z.looseObject({
        target: z.object({ kind: z.string(), id: z.string().nullable(), name: z.string() }),
        actorKind: z.enum(['user', 'token', 'organization_token', 'system']),
        tokenId: z.number().nullable(),
      }),
      ({ data, target, actor }) => ({ ...data, target, actorKind: actor.kind, tokenId: actor.tokenId }),
    ],
    dateCreated: isoMs('at'),
  },
  'AuditEntry',
);

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
