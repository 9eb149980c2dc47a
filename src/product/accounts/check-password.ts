import { invalid } from '#lib/errors.ts';
import { COMMON_PASSWORDS, COMMON_STEMS } from './common-passwords.ts';

export const PASSWORD_CHARS_MIN = 12;
export const PASSWORD_CHARS_MAX = 256;

/** Throws Invalid when a new password is too short, too long or easy to guess. */
export function checkPassword(password: string): void {
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
  if (isEasyToGuess(password.toLowerCase())) {
    throw invalid(
      'This password is easy to guess: choose another one, for example four words that have nothing to do with each other',
      'password',
    );
  }
}

function isEasyToGuess(password: string): boolean {
  return (
    COMMON_PASSWORDS.has(password) || isRepetition(password) || isRow(password) || isDecoratedStem(password)
  );
}

/** `aaaaaaaaaaaa`, `abcabcabcabc`: one to four characters again and again, the last time perhaps cut. */
const isRepetition = (password: string) =>
  [1, 2, 3, 4].some((period) => [...password].every((char, index, all) => char === all[index % period]));

/** `234567890123`, `lkjihgfedcba`: each character one step from the one before. */
function isRow(password: string): boolean {
  const digits = /^\d+$/.test(password);
  const steps = [...password].slice(1).map((char, index) => char.charCodeAt(0) - password.charCodeAt(index));
  const follows = (step: number) => steps.every((is) => is === step || (digits && is === -9 * step));
  return follows(1) || follows(-1);
}

/** `Password!2024`, `123admin12345`: a common word between digits and signs. */
function isDecoratedStem(password: string): boolean {
  const plain = password.replaceAll('@', 'a').replaceAll('$', 's').replaceAll('0', 'o');
  return [password, plain].some((text) => COMMON_STEMS.has(text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')));
}
