import { firstValue, type SearchParams } from '#app/url-state.ts';
import { DAY_MS } from '#lib/time.ts';
import { isAuditAction } from '#product/audit/audit-actions.ts';
import type { AuditQuery } from '#product/audit/audit-store.ts';

/** What the address of the page narrows the log to; days are UTC, `2026-11-22`. */
export type AuditFilters = {
  actor: string | null;
  action: string | null;
  from: string | null;
  to: string | null;
};

export function parseAuditFilters(search: SearchParams): AuditFilters {
  const action = firstValue(search, 'action') ?? '';
  return {
    actor: firstValue(search, 'actor') || null,
    action: isAuditAction(action) ? action : null,
    from: readDay(firstValue(search, 'from')),
    to: readDay(firstValue(search, 'to')),
  };
}

/** The last day is included. */
export function toAuditQuery({ actor, action, from, to }: AuditFilters): Omit<AuditQuery, 'beforeId'> {
  return {
    actorUserId: actor ?? undefined,
    action: action ?? undefined,
    fromMs: from === null ? undefined : Date.parse(from),
    toMs: to === null ? undefined : Date.parse(to) + DAY_MS,
  };
}

function readDay(text: string | null): string | null {
  return text && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : null;
}
