import { ROLES, type Role } from '#domain/people.ts';

/** Sentry's roles have the same names; `billing` reads only. */
export const roleOf = (value: unknown): Role =>
  value === 'billing' ? 'viewer' : (ROLES.find((role) => role === value) ?? 'member');
