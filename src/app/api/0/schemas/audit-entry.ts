import { z } from 'zod';
import { NAMED } from './parts.ts';

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
