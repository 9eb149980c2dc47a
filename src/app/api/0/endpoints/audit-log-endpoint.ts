import { z } from 'zod';
import { answerPage } from '#app/api/0/answer-page.ts';
import { contextOf } from '#app/api/0/api-caller.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { PAGE, RANGE } from '#app/api/0/parameters.ts';
import { readLimit, readRange } from '#app/api/0/read-parameters.ts';
import { AUDIT_ENTRY } from '#app/api/0/schemas/audit-entry.ts';
import { serializeAuditEntry } from '#app/api/0/serializers/serialize-audit-entry.ts';
import { AUDIT_ACTIONS } from '#product/audit/audit-actions.ts';
import { listAuditEntries } from '#product/audit/audit-log.ts';
import type { OrganizationParams } from './organization-endpoints.ts';

const LIST_AUDIT_LOG = {
  summary: 'Lists entries of the audit log',
  scopes: ['org:write'],
  query: {
    ...PAGE,
    ...RANGE,
    event: z.string().describe('Keeps entries of this action'),
    actor: z.string().describe('Keeps entries of this person'),
  },
  answer: z.object({ rows: z.array(AUDIT_ENTRY), options: z.array(z.string()) }),
  isPaged: true,
} satisfies Operation;

/** `event` and `actor` narrow it, `statsPeriod` or `start` and `end` too. Source: Sentry's `audit-logs` endpoint. */
export const listAuditLogEndpoint = declare<OrganizationParams>(
  LIST_AUDIT_LOG,
  async ({ caller, params, url }) => {
    const ctx = contextOf(caller, params.org);
    const range = readRange(url, ctx.now());
    const answer = await answerPage(ctx.publicUrl, url, async (cursor) => {
      const { entries, nextCursor } = await listAuditEntries(ctx, {
        action: url.searchParams.get('event') || undefined,
        actorUserId: url.searchParams.get('actor') || undefined,
        fromMs: range?.fromMs,
        toMs: range?.toMs,
        cursor,
        limit: readLimit(url),
      });
      return { rows: entries.map(serializeAuditEntry), nextCursor };
    });
    return { ...answer, body: { rows: answer.body, options: Object.keys(AUDIT_ACTIONS) } };
  },
);
