import { EMAIL, type TransferPerson } from '../record-parts.ts';
import { textOf } from './foreign-values.ts';

/** In lower case; null for what is no address, such as `admin@localhost`. */
export function emailOf(value: unknown): string | null {
  const parsed = EMAIL.safeParse(textOf(value)?.trim().toLowerCase());
  return parsed.success ? parsed.data : null;
}

/** null when the source says neither. */
export function personOf(email: unknown, name: unknown): TransferPerson | null {
  const person = { email: emailOf(email), name: textOf(name) };
  return person.email === null && person.name === null ? null : person;
}
