import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below what Linux (from 32768) and macOS and Windows (from 49152) give to outgoing connections: one of those could
 * take a port between this look and the listening.
 */
const FIRST_PORT = 20_000;
const END_PORT = 32_000;
/** Ports tried before giving up. */
const TRIES_MAX = 100;

/** A port of the loopback interface that was free a moment ago. Throws when none of many was. */
export async function findFreePort(): Promise<number> {
  for (let tried = 0; tried < TRIES_MAX; tried++) {
    const port = randomInt(FIRST_PORT, END_PORT);
    if (await isFree(port)) return port;
  }
  throw new Error(`None of ${TRIES_MAX} ports between ${FIRST_PORT} and ${END_PORT} is free`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
