import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerReplayFrame } from './replay-frame.ts';

const server = createServer((request, response) => {
  if (!answerReplayFrame(request, response)) response.writeHead(418).end();
});
let url: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

test('the document runs its own scripts by a nonce that is new each time, and loads nothing else', async () => {
  const [one, two] = [await fetch(`${url}/replay-frame`), await fetch(`${url}/replay-frame`)];
  const policy = String(one.headers.get('content-security-policy'));
  expect(policy).toMatch(
    /^default-src 'none'; script-src 'nonce-[^']+'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'$/,
  );
  expect(two.headers.get('content-security-policy')).not.toBe(policy);
  const nonce = /nonce-([^']+)/.exec(policy)?.[1];
  const scripts = [...(await one.text()).matchAll(/<script nonce="([^"]+)"[^>]* src="([^"]+)"><\/script>/g)];
  expect(scripts.map(([, each]) => each)).toEqual([nonce, nonce]);
  for (const [, , source] of scripts) {
    const answer = await fetch(`${url}${source}`);
    expect(answer.headers.get('content-type')).toContain('text/javascript');
    expect(answer.headers.get('cache-control')).toContain('immutable');
  }
});

test('only the document of videos plays blobs', async () => {
  const answer = await fetch(`${url}/replay-frame/video`);
  expect(answer.headers.get('content-security-policy')).toContain('media-src blob:');
  expect(await answer.text()).not.toContain('rrweb.js');
});

test('the programs are JavaScript, with their types taken out and nothing imported', async () => {
  for (const name of ['play.js', 'video.js']) {
    const script = await (await fetch(`${url}/replay-frame/${name}`)).text();
    expect(script).not.toMatch(/^\s*import\b|: Replayer\b/m);
    expect(() => new Function(script.replaceAll('export {}', ''))).not.toThrow();
  }
});

test('everything else is not found, or somebody else answers it', async () => {
  const statusOf = async (path: string, method = 'GET') => (await fetch(`${url}${path}`, { method })).status;
  expect(await statusOf('/replay-frame/package.json')).toBe(404);
  expect(await statusOf('/replay-frame/__proto__')).toBe(404);
  expect(await statusOf('/replay-frame', 'POST')).toBe(405);
  expect(await statusOf('/replay-frames')).toBe(418);
});
