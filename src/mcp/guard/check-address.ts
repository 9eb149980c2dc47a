import { isIP } from 'node:net';

/**
 * Why a request may not be answered by where it came from; null when it may. A page of another site names its origin. It
 * may have turned its own name to this address, so that the browser takes both for one site: then the host is that name,
 * which is neither ours, nor an address, nor a name without a dot (those cannot be had in the public DNS).
 * Source: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#security-warning
 */
export function findForeignAddress(headers: Headers, publicUrl: string): string | null {
  const own = new URL(publicUrl);
  const origin = headers.get('origin');
  if (origin !== null && origin !== own.origin) {
    return `Requests of pages of ${origin.slice(0, 200)} are refused: programs send no Origin header`;
  }
  const host = headers.get('host') ?? '';
  if (host === own.host || isPrivateName(nameOf(host))) return null;
  return `The host "${host.slice(0, 200)}" is not the address of this instance: use ${own.origin}`;
}

/** Without the port and the brackets of an IPv6 address. */
const nameOf = (host: string): string => host.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1');

const isPrivateName = (name: string): boolean =>
  isIP(name) !== 0 || /^[a-z0-9_-]+$/i.test(name) || /^[a-z0-9-]+\.localhost$/i.test(name);
