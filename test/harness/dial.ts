import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A connection by hand. */
export type Dialed = {
  socket: Socket;
  /** What was received so far. */
  text: () => string;
  isClosed: () => boolean;
  /** How long it was open; null while it is. */
  openMs: () => number | null;
};

/**
 * Clients with an address of their own each; Linux takes every one of 127.0.0.0/8 for itself, elsewhere all are one.
 */
export const [ATTACKER, NEIGHBOR, ATTACKER_TOO] =
  process.platform === 'linux' ? ['127.0.0.66', '127.0.0.7', '127.0.0.67'] : [];

const AT_ONCE = 200;
/** Between them, so that this process does not take the processor from whoever is measured. */
const PAUSE_MS = 50;

/** Resolves when it is open, or was turned away. */
export async function dial(port: number, localAddress?: string): Promise<Dialed> {
  const socket = connect({ port, host: '127.0.0.1', ...(localAddress && { localAddress }) });
  let received = '';
  let openMs: number | null = null;
  const startedAt = performance.now();
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    received += chunk;
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    openMs = performance.now() - startedAt;
  });
  await new Promise((resolve) => {
    socket.once('connect', resolve);
    socket.once('close', resolve);
  });
  return { socket, text: () => received, isClosed: () => openMs !== null, openMs: () => openMs };
}

/** A few hundred at a time: the queue of those that knock is short. */
export async function dialAll(count: number, port: number, localAddress?: string): Promise<Dialed[]> {
  const dialed: Dialed[] = [];
  while (dialed.length < count) {
    if (dialed.length > 0) await sleep(PAUSE_MS);
    const next = Math.min(AT_ONCE, count - dialed.length);
    dialed.push(...(await Promise.all(Array.from({ length: next }, () => dial(port, localAddress)))));
  }
  return dialed;
}
