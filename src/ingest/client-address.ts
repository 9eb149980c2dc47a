import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP } from 'node:net';
import { plainIp } from '#lib/client-address.ts';

export type ClientAddress = {
  /** null when the socket is gone. */
  ip: string | null;
  /** What the client speaks, as far as trusted proxies say. */
  protocol: 'http' | 'https';
  /** Whether the socket's other end is a trusted proxy. */
  isProxied: boolean;
};

/** The client's address: the last one in X-Forwarded-For that no trusted proxy has, or the socket's. */
export function clientAddress(request: IncomingMessage, trustedProxies: BlockList | null): ClientAddress {
  const socketIp = plainIp(request.socket.remoteAddress ?? '');
  if (!trustedProxies || !isTrusted(socketIp, trustedProxies)) {
    return { ip: socketIp || null, protocol: 'http', isProxied: false };
  }
  const forwarded = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((part) => plainIp(part.trim()))
    .filter((ip) => isIP(ip) !== 0);
  let ip = socketIp;
  for (const hop of forwarded.reverse()) {
    ip = hop;
    if (!isTrusted(hop, trustedProxies)) break;
  }
  const protocol = request.headers['x-forwarded-proto'] === 'https' ? 'https' : 'http';
  return { ip, protocol, isProxied: true };
}

function isTrusted(ip: string, trustedProxies: BlockList): boolean {
  const family = isIP(ip);
  return family !== 0 && trustedProxies.check(ip, family === 6 ? 'ipv6' : 'ipv4');
}
