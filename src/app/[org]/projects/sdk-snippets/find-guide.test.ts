import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { UPLOAD_TOOLS } from '#app/[org]/settings/projects/[project]/source-maps/how-to/upload-snippets.ts';
import { PLATFORMS } from '#domain/platforms.ts';
import { logoOf } from '#ui/platform-logo/logo-of.ts';
import { findGuide, GUIDES } from './find-guide.ts';

const DSN = 'http://0123456789abcdef0123456789abcdef@localhost:9000/42';

const IDS = PLATFORMS.map((platform) => platform.id);

test('every platform of the list has a guide, and every guide is on the list once', () => {
  expect(Object.keys(GUIDES).sort()).toEqual([...IDS].sort());
});

test.each(IDS)('%s has its own steps with the DSN, and ends with a way to verify', (id) => {
  const { steps, docs } = findGuide(id);
  const texts = steps(DSN);
  expect(texts.some(({ text }) => text.includes(DSN))).toBe(true);
  expect(texts.at(-1)?.title).toBe('Verify');
  expect(new Set(texts.map(({ title }) => title)).size).toBe(texts.length);
  if (id === 'other') return;
  expect(texts).not.toEqual(findGuide('other').steps(DSN));
  expect(docs).toMatch(/^[a-z0-9_/-]+\/$/);
});

test('readable stack traces lead to a tab of the page that shows how to upload', () => {
  const tools = Object.values(GUIDES).flatMap(({ traces }) => traces?.uploadTool ?? []);
  const known: readonly string[] = UPLOAD_TOOLS.map(({ id }) => id);
  expect(tools.filter((tool) => !known.includes(tool))).toEqual([]);
  expect(tools).toContain('proguard');
});

test('no guide has a logo that says nothing', () => {
  const without = IDS.filter((id) => logoOf(id) === 'unknown');
  expect(without).toEqual(['other']);
});

const FILE_NAME = /[\w-]+\.(?:mjs|py|php|rb)\b/g;

test.each(IDS)('%s runs no file before the step that makes it', (id) => {
  // A Django project comes with it.
  const made = new Set(['manage.py']);
  for (const { file, text } of findGuide(id).steps(DSN)) {
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
    const [, ...steps] = findGuide('node').steps(
      `http://0123456789abcdef0123456789abcdef@127.0.0.1:${port}/42`,
    );
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
  expect(findGuide('cobol')).toBe(findGuide('other'));
  expect(findGuide('constructor')).toBe(findGuide('other'));
});

test('the event sent by hand goes to the project of the DSN, below a path too', () => {
  const text = (dsn: string) => findGuide('other').steps(dsn).at(-1)?.text;
  expect(text(DSN)).toContain(
    "'http://localhost:9000/api/42/store/?sentry_key=0123456789abcdef0123456789abcdef'",
  );
  expect(text('https://abc@example.com/errata/7')).toContain(
    "'https://example.com/errata/api/7/store/?sentry_key=abc'",
  );
});
