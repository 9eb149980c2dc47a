import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { HeldBodies } from './held-bodies.ts';
import { holdBody } from './hold-body.ts';

test('a body that waits for its turn still counts, and is given up for others', async () => {
  const holds = new HeldBodies(100);
  const lost: number[] = [];
  const hold = (address: string, bytes: number) => {
    const message = new IncomingMessage(new Socket());
    message.push(Buffer.alloc(bytes));
    message.push(null);
    return holdBody(message, holds, address, ({ status }) => lost.push(status));
  };
  const waiting = await hold('a', 80);
  expect([waiting.kind, holds.bytes]).toEqual(['held', 80]);
  const other = await hold('b', 40);
  expect([lost, holds.bytes]).toEqual([[503], 40]);
  // What has its turn is nobody's to give up.
  if (other.kind === 'held') other.release();
  await hold('c', 100);
  expect([lost, holds.bytes]).toEqual([[503], 100]);
  for (const body of [waiting, other]) if (body.kind === 'held') body.watch.end();
});
