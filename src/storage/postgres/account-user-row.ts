import type { User } from '#storage/ports/accounts.ts';

export type UserRow = { id: string; email: string; name: string; is_instance_owner: boolean };

export const USER_COLUMNS = 'users.id, users.email, users.name, users.is_instance_owner';

export const toUser = (row: UserRow): User => ({
  id: row.id,
  email: row.email,
  name: row.name,
  isInstanceOwner: row.is_instance_owner,
});

/** A parameter of milliseconds since the epoch as a timestamp. */
export const fromMs = (parameter: string) => `to_timestamp(${parameter}::double precision / 1000)`;
