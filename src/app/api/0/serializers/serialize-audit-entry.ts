import { auditWords } from '#product/audit/audit-actions.ts';
import type { AuditEntry } from '#product/audit/audit-store.ts';

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
