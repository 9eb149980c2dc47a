import { invalid } from '#lib/errors.ts';
import type { WebServices } from '#product/stores.ts';
import { estimatePassword, type Weakness } from './password-strength.ts';
import { listUserOrganizations } from './resolve-user-context.ts';

export const PASSWORD_CHARS_MIN = 12;
export const PASSWORD_CHARS_MAX = 256;
/** The highest of the estimator's own grades: a random password of 12 characters has 12, three random words 14. */
const GUESSES_LOG10_MIN = 10;

/** Throws Invalid with the reason for a weak password. `ownWords`: what anybody may know about its owner. */
export async function checkPassword(password: string, ownWords: readonly string[]): Promise<void> {
  const chars = [...password].length;
  if (chars < PASSWORD_CHARS_MIN) {
    throw invalid(
      `The password has ${chars} ${chars === 1 ? 'character' : 'characters'}: use ${PASSWORD_CHARS_MIN} or more`,
      'password',
    );
  }
  if (password.length > PASSWORD_CHARS_MAX) {
    throw invalid(
      `The password is longer than ${PASSWORD_CHARS_MAX} characters: use a shorter one`,
      'password',
    );
  }
  const { guessesLog10, weakness } = await estimatePassword(password, [...ownWords, 'errata']);
  if (guessesLog10 >= GUESSES_LOG10_MIN) return;
  throw invalid(`${REASONS[weakness]}. Use a password manager, or four or more unrelated words`, 'password');
}

const REASONS: Readonly<Record<Weakness, string>> = {
  own_words:
    'This password is easy to guess: it contains your email address, your name, or the name of your organization',
  common: 'This password is easy to guess: it consists of common passwords or words',
  pattern: 'This password is easy to guess: it repeats itself, or follows a sequence or a keyboard row',
  simple: 'This password is easy to guess: it is too short for how simple it is',
};

/** What anybody may know about a user, and a password must therefore not consist of. */
export async function findOwnWords(
  stores: WebServices,
  user: { id: string; email: string; name: string },
): Promise<readonly string[]> {
  const organizations = await listUserOrganizations({ stores }, user.id);
  return [user.email, user.name, ...organizations.flatMap(({ name, slug }) => [name, slug])];
}
