import { isIP } from 'node:net';

/** What SDKs write for "the address that this request came from". */
export const AUTO_IP = '{{auto}}';

/** An IPv4 or IPv6 address in lower case, IPv4 without its IPv6 prefix; null for anything else. */
export function parseIpAddress(text: string): string | null {
  const address = text.trim().toLowerCase();
  const bare = address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
  return isIP(bare) === 0 ? null : bare;
}
