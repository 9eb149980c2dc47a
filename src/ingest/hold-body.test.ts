import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { HeldBodies, holdBody } from './hold-body.ts';

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

test('beyond the bound the address that holds most loses its oldest body', () => {
  const holds = new HeldBodies(100);
  const lost: string[] = [];
  const open = (address: string, name: string) => holds.open(address, () => lost.push(name));
  const other = open('b', 'other');
  expect(other.add(30)).toBe(true);
  const [first, second] = [open('a', 'first'), open('a', 'second')];
  expect(first.add(30) && second.add(30)).toBe(true);
  expect(holds.bytes).toBe(90);
  // Who asks for more is not who pays.
  expect(other.add(20)).toBe(true);
  expect([lost, holds.bytes]).toEqual([['first'], 80]);
  expect(second.add(60)).toBe(false);
  expect([lost, holds.bytes]).toEqual([['first', 'second'], 50]);
});

test('what has ended holds nothing, and is given up no more', () => {
  const holds = new HeldBodies(100);
  const lost: string[] = [];
  const ended = holds.open('a', () => lost.push('ended'));
  ended.add(90);
  ended.end();
  ended.end();
  expect(holds.bytes).toBe(0);
  expect(holds.open('a', () => lost.push('next')).add(100)).toBe(true);
  expect(lost).toEqual([]);
});
