import { expect, test } from 'vitest';
import { readRequestTarget } from './http-server.ts';

const PUBLIC = 'https://errors.example.com';
const read = (line: string, host: string | undefined = 'errata.lan:9000') =>
  readRequestTarget(line, host, PUBLIC);

test.each([
  ['/login?next=/main', 'errata.lan:9000', '/login?next=/main'],
  ['http://errata.lan:9000/login?next=http://x/', 'errata.lan:9000', '/login?next=http://x/'],
  ['HTTP://ERRATA.lan:9000', 'errata.lan:9000', '/'],
  ['http://errata.lan?a=1', 'errata.lan:80', '/?a=1'],
  ['https://errors.example.com/x', '10.0.0.1:9000', '/x'],
  ['http://[::1]:9000/x', '[::1]:9000', '/x'],
  ['http://errata.lan:9000//evil.example/x', 'errata.lan:9000', '//evil.example/x'],
])('%s at %s asks for a path', (line, host, target) => {
  expect(read(line, host)).toMatchObject({ kind: 'found', target });
});

test.each([
  'http://evil.example/',
  'https://evil.example/login',
  'http://errata.lan:9001/',
  'http://errata.lan/',
])('%s is for another server', (line) => {
  expect(read(line)).toMatchObject({ kind: 'refused', status: 421 });
});

test.each([
  '*',
  'login',
  'http://',
  'http:///x',
  'http://user@errata.lan:9000/',
  'ftp://errata.lan:9000/',
  'http://a b/',
])('%s names no path', (line) => {
  expect(read(line)).toMatchObject({ kind: 'refused', status: 400 });
});

test.each(['evil.example/x', 'a b', 'user@host', 'a\\b', '[::1'])('the host %s is none', (host) => {
  expect(read('/', host)).toMatchObject({ kind: 'refused', status: 400 });
});
