import { afterAll, beforeAll, expect, test } from 'vitest';
import type { McpTester } from '../harness/mcp-client.ts';
import type { ApiScene } from './api-scene.ts';
import { openEventsScene, TRACE } from './events-scene.ts';
import { connectScene } from './mcp-scene.ts';

let scene: ApiScene;
let reader: McpTester;
beforeAll(async () => {
  scene = await openEventsScene();
  reader = await connectScene(scene.product).connect(scene.owner, ['org:read', 'event:read']);
});
afterAll(async () => {
  await reader?.[Symbol.asyncDispose]();
  await scene?.close();
});

const tell = (args: Readonly<Record<string, unknown>>) => reader.tell('search_telemetry', args);

test('spans, logs and metrics as rows, page by page', async () => {
  const spans = await tell({ dataset: 'spans', query: 'span.op:db', sort: '-span.duration', limit: 2 });
  expect(spans).toMatch(/Each row: time \| project \| trace \| span\.op \| span\.description/);
  expect(spans).toMatch(new RegExp(`\\| api \\| ${TRACE} \\| db \\| POST /pay \\| 60 \\|`));
  const cursor = /cursor `([^`]+)`/.exec(spans)?.[1];
  const rest = await tell({
    dataset: 'spans',
    query: 'span.op:db',
    sort: '-span.duration',
    limit: 2,
    cursor,
  });
  expect(rest).toMatch(/\| web \| .* \| db \| POST \/pay \| 40 \|/);
  expect(rest).not.toContain('cursor `');
  expect(
    await tell({ dataset: 'logs', query: 'severity:error', fields: ['message', 'order.number'] }),
  ).toMatch(/\| Order 1 paid \| 1$/m);
  expect(await tell({ dataset: 'metrics', project: 'web' })).toMatch(
    /\| checkout\.time \| 5 \| millisecond$/m,
  );
  expect(await tell({ dataset: 'logs', query: 'nothing' })).toBe('No matching logs in the last 24h.');
});

test('numbers over them, by groups', async () => {
  const text = await tell({
    dataset: 'spans',
    functions: ['count()', 'p95(span.duration)', 'failure_rate()'],
    group_by: ['span.op', 'project'],
    sort: '-count()',
    limit: 2,
  });
  expect(text).toMatch(
    /3 groups\. Each row: count\(\) \| p95\(span\.duration\) in ms \| failure_rate\(\) \| span\.op/,
  );
  expect(text).toMatch(/^3 \| [\d.]+ \| 0% \| http\.server \| web$/m);
  expect(text).toMatch(/the offset 2/);
  expect(await tell({ dataset: 'metrics', functions: ['sum(value)', 'last_seen()'] })).toMatch(
    /^21 \| \d{4}-/m,
  );
});

test('what can be searched, and its values', async () => {
  const names = await reader.tell('list_attributes', { dataset: 'spans', contains: 'cart' });
  expect(names).toMatch(/^cart\.size \| number, attribute$/m);
  expect(names).not.toContain('span.op');
  expect(await reader.tell('list_attributes', { dataset: 'spans', attribute: 'span.op' })).toMatch(
    /^3 \| http\.server$/m,
  );
});

test('what is wrong with a question', async () => {
  const bad = await reader.ask('search_telemetry', { dataset: 'spans', query: 'span.duration:a' });
  expect([bad.isError, bad.text]).toEqual([true, expect.stringMatching(/needs a duration/)]);
  expect((await reader.ask('search_telemetry', { dataset: 'errors' })).isError).toBe(true);
  expect((await reader.ask('search_telemetry', { dataset: 'spans', functions: ['evil()'] })).text).toMatch(
    /is not available for spans/,
  );
});
