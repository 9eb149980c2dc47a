import type { User } from '#domain/people.ts';

/** Source of the fields: the `user` of `GET /api/0/`. */
export function serializeUser(user: User) {
  return {
    id: user.id,
    name: user.name,
    username: user.email,
    email: user.email,
    isActive: true,
    isSuperuser: user.isInstanceOwner,
  };
}
