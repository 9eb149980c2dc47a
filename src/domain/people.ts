export const ROLES = ['viewer', 'member', 'admin', 'manager', 'owner'] as const;
/** Ordered by rights, fewest first. */
export type Role = (typeof ROLES)[number];

export type User = { id: string; email: string; name: string; isInstanceOwner: boolean };

export type Membership = { organizationId: number; userId: string; role: Role };

export type Member = User & { role: Role };
