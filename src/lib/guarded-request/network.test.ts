import { expect, test } from 'vitest';
import { isAllowedHost, parseHostList } from './network.ts';

const hosts = parseHostList('cdn.example.com, *.Example.org,assets.test:8443');
const allows = (url: string) => isAllowedHost(hosts, new URL(url));

test('names, names below one, and ports', () => {
  expect(allows('https://cdn.example.com/a.js')).toBe(true);
  expect(allows('http://CDN.example.com./a.js')).toBe(true);
  expect(allows('https://a.b.example.org/')).toBe(true);
  expect(allows('https://assets.test:8443/')).toBe(true);
});

test('nothing that only looks like one', () => {
  for (const url of [
    'https://example.com/',
    'https://evilcdn.example.com/',
    'https://cdn.example.com.evil.test/',
    'https://cdn.example.com:8080/',
    'https://example.org/',
    'https://evilexample.org/',
    'https://assets.test/',
    'https://evil.test/?cdn.example.com',
    'https://evil.test/#cdn.example.com',
  ]) {
    expect([url, allows(url)]).toEqual([url, false]);
  }
});

test.each(['', '*', 'https://cdn.example.com', 'a b', '10.0.0.1', '[::1]', 'x.com/path', '*.*.com', 'a,,b'])(
  '%j is refused with an example',
  (text) => expect(() => parseHostList(text)).toThrow('cdn.example.com'),
);
