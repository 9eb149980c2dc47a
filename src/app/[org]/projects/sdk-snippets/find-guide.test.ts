import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { PLATFORMS } from '#app/[org]/projects/platforms.ts';
import { sdkSnippet } from './sdk-snippet.ts';

const DSN = 'http://0123456789abcdef0123456789abcdef@localhost:9000/42';

test.each(PLATFORMS.map((platform) => platform.id))(
  '%s has its own snippet with the DSN and a way to verify',
  (id) => {
    const steps = sdkSnippet(id, DSN);
    const text = steps.map((step) => `${step.title} ${step.text}`).join('\n');
    expect(text).toContain(DSN);
    expect(text).toMatch(/verify/i);
    if (id !== 'other') expect(steps).not.toEqual(sdkSnippet('other', DSN));
  },
);

const FILE_NAME = /[\w-]+\.(?:mjs|py|php|rb)\b/g;

test.each(PLATFORMS.map((platform) => platform.id))('%s runs no file before the step that makes it', (id) => {
  const made = new Set<string>();
  for (const { file, text } of sdkSnippet(id, DSN)) {
    if (file) made.add(file);
    else if (text.includes('\n')) continue;
    else for (const [run] of text.matchAll(FILE_NAME)) expect(made).toContain(run);
  }
});

test('the steps for Node.js, done literally, report an error', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'errata-snippet-'));
  const received: string[] = [];
  const edge = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => received.push(chunk.toString('utf8')));
    request.on('end', () => response.end('{}'));
  });
  await once(edge.listen(0, '127.0.0.1'), 'listening');
  try {
    symlinkSync(
      path.resolve(import.meta.dirname, '../../../../../node_modules'),
      path.join(folder, 'node_modules'),
    );
    const { port } = edge.address() as AddressInfo;
    const [, ...steps] = sdkSnippet('node', `http://0123456789abcdef0123456789abcdef@127.0.0.1:${port}/42`);
    for (const { file, text } of steps) {
      if (file) writeFileSync(path.join(folder, file), text);
      else {
        const [command = '', ...args] = text.split(' ');
        expect(command).toBe('node');
        await once(spawn(process.execPath, args, { cwd: folder, stdio: 'ignore' }), 'exit');
      }
    }
  } finally {
    edge.close();
    rmSync(folder, { recursive: true, force: true });
  }
  expect(received.join('')).toContain('Hello from Node.js');
});

test('a platform that is not listed gets what every SDK understands', () => {
  expect(sdkSnippet('cobol', DSN)).toEqual(sdkSnippet('other', DSN));
  expect(sdkSnippet(null, DSN)).toEqual(sdkSnippet('other', DSN));
});

test('the event sent by hand goes to the project of the DSN, below a path too', () => {
  const text = (dsn: string) => sdkSnippet('other', dsn).at(-1)?.text;
  expect(text(DSN)).toContain(
    "'http://localhost:9000/api/42/store/?sentry_key=0123456789abcdef0123456789abcdef'",
  );
  expect(text('https://abc@example.com/errata/7')).toContain(
    "'https://example.com/errata/api/7/store/?sentry_key=abc'",
  );
});
