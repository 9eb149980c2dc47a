import { invalid } from '#lib/errors.ts';
import type { Self } from './self.ts';

const NAME_CHARS_MAX = 100;
/** The name stands in mails and in the audit log. */
const CONTROL_CHARACTER = /\p{Cc}/u;

/** Throws Invalid with the field's name. */
export async function renameSelf({ stores, session }: Self, input: { name: string }): Promise<void> {
  const name = input.name.trim();
  if (name === '') throw invalid('Write a name', 'name');
  if (name.length > NAME_CHARS_MAX) throw invalid(`Use at most ${NAME_CHARS_MAX} characters`, 'name');
  if (CONTROL_CHARACTER.test(name))
    throw invalid('Write the name in one line, without control characters', 'name');
  await stores.accounts.renameUser(session.userId, name);
}
