import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sayErrorInDocument } from './error-document.ts';

const FAILED =
  '<!DOCTYPE html><html id="__next_error__"><head></head><body><script>self.__next_f.push([1,"e:E{\\"digest\\":\\"833730763\\"}"])</script></body></html>';

let server: Server;
let answer: (response: ServerResponse) => void;

beforeEach(async () => {
  server = createServer((_, response) => {
    sayErrorInDocument(response);
    answer(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => void server.close());

const ask = () => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);

test('a failed page says what happened, with its digest', async () => {
  answer = (response) => {
    response.statusCode = 500;
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.write(FAILED.slice(0, 80));
    response.end(FAILED.slice(80));
  };
  const response = await ask();
  expect(response.status).toBe(500);
  const html = await response.text();
  expect(html).toContain('Application error: a server-side exception has occurred');
  expect(html).toContain('Digest: <code>833730763</code>');
  expect(html).toContain('self.__next_f.push');
});

test('compressed too, and whatever length was announced', async () => {
  const packed = gzipSync(FAILED);
  answer = (response) => {
    response.statusCode = 500;
    response.setHeader('content-type', 'text/html');
    response.setHeader('content-encoding', 'gzip');
    response.setHeader('content-length', packed.length);
    response.end(packed);
  };
  expect(await (await ask()).text()).toContain('833730763</code>');
});

test('anything else passes byte for byte', async () => {
  const page = '<!DOCTYPE html><html lang="en"><body>fine</body></html>';
  answer = (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(page);
  expect(await (await ask()).text()).toBe(page);
  answer = (response) => void response.writeHead(500, { 'content-type': 'application/json' }).end('{}');
  expect(await (await ask()).text()).toBe('{}');
  answer = (response) => {
    response.statusCode = 500;
    response.setHeader('content-type', 'text/html');
    response.end(page);
  };
  expect(await (await ask()).text()).toBe(page);
  const large = gzipSync(
    Buffer.from(Array.from({ length: 2_000_000 }, () => Math.floor(Math.random() * 256))),
  );
  answer = (response) => {
    response.statusCode = 500;
    response.setHeader('content-type', 'text/html');
    response.write(large.subarray(0, 100));
    response.end(large.subarray(100));
  };
  const bytes = Buffer.from(await (await ask()).arrayBuffer());
  expect(gunzipSync(bytes).length).toBe(2_000_000);
});
