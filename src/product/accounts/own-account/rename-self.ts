import { invalid } from '#lib/errors.ts';
import type { Self } from './self.ts';

const NAME_CHARS_MAX = 100;

/** Throws Invalid with the field's name. */
export async function renameSelf({ stores, session }: Self, input: { name: string }): Promise<void> {
  const name = input.name.trim();
  if (name === '') throw invalid('Write a name', 'name');
  if (name.length > NAME_CHARS_MAX) throw invalid(`Use at most ${NAME_CHARS_MAX} characters`, 'name');
  await stores.accounts.renameUser(session.userId, name);
}
