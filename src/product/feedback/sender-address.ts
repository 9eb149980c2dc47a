import { FEEDBACK_TYPE, type NormalizedEvent } from '#protocol/event.ts';

/**
 * An address that headers, mail programs and links take as one: nothing in it ends the address, adds another, or begins a
 * header. What scrubbing leaves of an address (`[email]`, asterisks, a hash) is none.
 */
const ADDRESS = /^[a-z0-9.!#$'+/=^_`{|}~-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}$/i;
const ADDRESS_CHARS_MAX = 254;

/** Where the sender of a feedback can be answered; null when they left no address, or it was scrubbed. */
export function senderAddress({ type, contexts }: Pick<NormalizedEvent, 'type' | 'contexts'>): string | null {
  const email = contexts?.feedback?.contact_email;
  if (type !== FEEDBACK_TYPE || typeof email !== 'string' || email.length > ADDRESS_CHARS_MAX) return null;
  return ADDRESS.test(email) ? email : null;
}
