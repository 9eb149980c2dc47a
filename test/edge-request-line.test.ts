import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dial } from './harness/dial.ts';
import { EDGE_PUBLIC_URL, type OpenEdge, openEdge } from './harness/open-edge.ts';
import { until } from './harness/until.ts';

/** Stands for the pages: says what it was asked for, and leads on as the framework does. */
let web: Server;
let edge: OpenEdge;

beforeAll(async () => {
  web = createServer((message, response) => {
    const isRepeated = message.url?.includes('//');
    response.writeHead(isRepeated ? 308 : 200, isRepeated ? { location: message.url ?? '' } : {});
    response.end(`asked for ${message.url} of ${message.headers.host}`);
  });
  web.listen(0, '127.0.0.1');
  await once(web, 'listening');
  edge = await openEdge({ webPort: (web.address() as AddressInfo).port });
});
afterAll(async () => {
  await edge.close();
  web.closeAllConnections();
  web.close();
});

async function ask(line: string, host: string): Promise<string> {
  const { socket, text } = await dial(edge.port);
  socket.write(`${line} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
  await until('the answer', () => text().split('\r\n\r\n')[1]);
  socket.destroy();
  return text();
}

test('the absolute form is answered as the path that it names', async () => {
  const host = `127.0.0.1:${edge.port}`;
  expect(await ask(`GET http://${host}/login?a=1`, host)).toContain(`asked for /login?a=1 of ${host}`);
  expect(await ask(`GET ${EDGE_PUBLIC_URL}/login`, host)).toContain('asked for /login of errors.example.com');
  expect(await ask(`GET http://${host}/health/live`, host)).toMatch(/^HTTP\/1\.1 200 /);
});

test.each(['http://evil.example/login', 'https://evil.example//x', 'http://127.0.0.1:1/'])(
  '%s is refused, and leads nowhere',
  async (target) => {
    const answer = await ask(`GET ${target}`, `127.0.0.1:${edge.port}`);
    expect(answer).toMatch(/^HTTP\/1\.1 421 /);
    expect(answer).not.toMatch(/location:|evil\.example/i);
  },
);

test.each([
  ['GET *', 'a.example'],
  ['OPTIONS *', 'a.example'],
  ['GET /login', 'a.example/x'],
])('%s of the host %s is no request', async (line, host) => {
  expect(await ask(line, host)).toMatch(/^HTTP\/1\.1 400 /);
});
