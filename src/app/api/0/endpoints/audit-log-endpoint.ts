import { answerPage } from '#app/api/0/answer-page.ts';
import { contextOf } from '#app/api/0/api-caller.ts';
import type { ApiEndpoint } from '#app/api/0/handle-api-request.ts';
import { readLimit, readRange } from '#app/api/0/read-parameters.ts';
import { serializeAuditEntry } from '#app/api/0/serializers/serialize-audit-entry.ts';
import { AUDIT_ACTIONS } from '#product/audit/audit-actions.ts';
import { listAuditEntries } from '#product/audit/list-audit-entries.ts';
import type { OrganizationParams } from './organization-endpoints.ts';

/** `event` and `actor` narrow it, `statsPeriod` or `start` and `end` too. Source: Sentry's `audit-logs` endpoint. */
export const listAuditLogEndpoint: ApiEndpoint<OrganizationParams> = async ({ caller, params, url }) => {
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
};
