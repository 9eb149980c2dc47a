import { z } from 'zod';
import { ROLE, SCOPE } from './parts.ts';

export const ROLE_DETAIL = z
  .object({
    id: ROLE,
    name: z.string(),
    desc: z.string(),
    scopes: z.array(SCOPE),
    allowed: z.boolean(),
    isAllowed: z.boolean(),
    isRetired: z.boolean(),
    isTeamRolesAllowed: z.boolean(),
    is_global: z.boolean(),
    isGlobal: z.boolean(),
    minimumTeamRole: z.string(),
  })
  .meta({ id: 'RoleDetail' });
