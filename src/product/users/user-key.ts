import { USER_KINDS, type UserKey } from '#storage/ports/user-activity.ts';

/** Longer names are cut when they are stored. */
const VALUE_CHARACTERS_MAX = 2_000;

/** `id:42`, `email:ann@example.com`, as the tag `user` has it; null for anything else. */
export function parseUserKey(text: string): UserKey | null {
  const colon = text.indexOf(':');
  const kind = USER_KINDS.find((each) => each === text.slice(0, colon));
  const value = text.slice(colon + 1);
  return kind && value !== '' && value.length <= VALUE_CHARACTERS_MAX ? { kind, value } : null;
}

export const formatUserKey = ({ kind, value }: UserKey): string => `${kind}:${value}`;

/** The first thing that is known of somebody; null for nothing. */
export function keyOfUser(user: {
  id: string | null;
  email: string | null;
  username: string | null;
  ip: string | null;
}): UserKey | null {
  for (const kind of USER_KINDS) {
    const value = user[kind];
    if (value) return { kind, value };
  }
  return null;
}
