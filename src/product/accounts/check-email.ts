import { z } from 'zod';
import { invalid } from '#lib/errors.ts';

const EMAIL_CHARS_MAX = 254;
const email = z.email().max(EMAIL_CHARS_MAX);

/** Answers the address in lower case; throws Invalid when it is none. */
export function checkEmail(input: string): string {
  const parsed = email.safeParse(input.trim());
  if (!parsed.success) {
    throw invalid(`"${input.trim()}" is not an email address: use one like ana@example.com`, 'email');
  }
  return parsed.data.toLowerCase();
}
