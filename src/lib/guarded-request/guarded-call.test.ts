import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { type GuardedCall, guardedCall } from './guarded-request.ts';
import { networkWith, parseAllowedInside } from './network.ts';

const CALL: GuardedCall = {
  method: 'GET',
  headers: { authorization: 'Bearer secret' },
  body: null,
  answerBytesMax: 1_000,
  timeMsMax: 500,
};
const LOOPBACK = networkWith(parseAllowedInside('127.0.0.1'));

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
}

test('the answer is told whole, whatever its status', async () => {
  const url = await serve((request, response) => {
    response.writeHead(403, { 'content-encoding': 'gzip', 'x-who': request.headers.authorization });
    response.end(gzipSync('{"message":"no"}'));
  });
  expect(await guardedCall(url, CALL, LOOPBACK)).toMatchObject({
    kind: 'answered',
    status: 403,
    headers: { 'x-who': 'Bearer secret' },
    body: '{"message":"no"}',
  });
});

test('credentials go nowhere but to the address that was named', async () => {
  let others = 0;
  const other = await serve((_request, response) => {
    others++;
    response.end();
  });
  const url = await serve((_request, response) => response.writeHead(302, { location: other }).end());
  expect(await guardedCall(url, CALL, LOOPBACK)).toMatchObject({ kind: 'answered', status: 302 });
  expect(others).toBe(0);
});

test('inside addresses, long answers and silence are refused', async () => {
  const reason = async (url: string, network = LOOPBACK) => {
    const answer = await guardedCall(url, CALL, network);
    return answer.kind === 'refused' ? answer.reason : answer.status;
  };
  const long = await serve((_request, response) => response.end(gzipSync(Buffer.alloc(2_000))));
  const packed = await serve((_request, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(2_000))),
  );
  const silent = await serve(() => {});
  expect(await reason(long)).toBe(200);
  expect(await reason(packed)).toBe('too_large');
  expect(await reason(silent)).toBe('timeout');
  expect(await reason(long, undefined)).toBe(200);
  expect(await guardedCall(long, CALL)).toMatchObject({ kind: 'refused', reason: 'address' });
  expect(await reason('nothing')).toBe('not_allowed');
});
