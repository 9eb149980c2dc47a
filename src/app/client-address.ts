import { isIP } from 'node:net';

/** The address of the client: the edge names it, whatever was sent to it. null when there is none. */
export function clientAddress(headers: Headers): string | null {
  const last = headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() ?? '';
  return isIP(last) === 0 ? null : last;
}
