import { isIP } from 'node:net';
import { isDistinctive } from '#domain/person-names.ts';
import { invalid } from '#lib/errors.ts';
import { hashDistinctId } from '#pipeline/sessions/session-attributes.ts';
import type { PersonQuery } from '#storage/ports/person-data.ts';
import { USER_KINDS, type UserKey } from '#storage/ports/user-activity.ts';

/** A person has an ID or two, an address or two, and devices. */
export const IDENTIFIERS_MAX = 20;
const CHARACTERS_MAX = 500;
/** A shorter one would be found in what has nothing to do with the person. */
const EMAIL = /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/;

/** Each once, without space around it. Throws Invalid, naming the field, for what is no such identifier. */
export function checkIdentifiers(identifiers: readonly UserKey[]): readonly UserKey[] {
  const checked = new Map<string, UserKey>();
  for (const { kind, value: raw } of identifiers) {
    const value = raw.trim();
    if (value === '') continue;
    if (!USER_KINDS.includes(kind))
      throw invalid(`"${kind}" is not a kind of identifier: use ${USER_KINDS.join(', ')}`, 'identifiers');
    if (value.length > CHARACTERS_MAX)
      throw invalid(`An identifier can have at most ${CHARACTERS_MAX} characters`, kind);
    if (/\p{Cc}/u.test(value)) throw invalid('An identifier cannot contain control characters', kind);
    if (kind === 'email' && !EMAIL.test(value)) throw invalid(`"${value}" is not an email address`, 'email');
    if (kind === 'ip' && isIP(value) === 0) throw invalid(`"${value}" is not an IP address`, 'ip');
    checked.set(`${kind}:${kind === 'email' ? value.toLowerCase() : value}`, { kind, value });
  }
  if (checked.size === 0)
    throw invalid(
      'Enter at least one ID, email address, username or IP address of the person',
      'identifiers',
    );
  if (checked.size > IDENTIFIERS_MAX)
    throw invalid(`Enter at most ${IDENTIFIERS_MAX} identifiers of one person`, 'identifiers');
  return [...checked.values()];
}

/** Whether one of them is only looked for where a user is named. */
export const hasShortOne = (identifiers: readonly UserKey[]): boolean => !identifiers.every(isDistinctive);

/** What the stores are asked about. */
export const queryOf = (
  organizationId: number,
  identifiers: readonly UserKey[],
  receivedUntilMs: number,
): PersonQuery => ({
  organizationId,
  identifiers,
  distinctIdHashes: [...new Set(identifiers.flatMap(({ value }) => hashDistinctId(value) ?? []))],
  receivedUntilMs,
});
