import { expect, test } from 'vitest';
import { eventEnvelope, parseDsn, postEnvelope } from '../harness/envelope.ts';
import { findEvent } from '../harness/find-event.ts';
import { readMetrics, readReadiness } from '../harness/read-health.ts';
import { makeJavascriptError } from '../harness/sample-event.ts';
import { makeProject, sharedErrata } from '../harness/shared-errata.ts';
import { until } from '../harness/until.ts';

test('live says that the process answers', async () => {
  expect((await fetch(`${sharedErrata().url}/health/live`)).status).toBe(200);
});

test('ready is 200 when every role and both stores answer, and names each', async () => {
  const body = await readReadiness(sharedErrata());
  expect([body.httpStatus, body.status]).toEqual([200, 'ok']);
  const names = Object.keys(body.checks).join(' ');
  for (const name of ['digest', 'web', 'jobs', 'postgres', 'clickhouse']) expect(names).toContain(name);
  expect(Object.values(body.checks).filter((check) => !check.ok)).toEqual([]);
});

test('ready says no more than that to the public, and metrics nothing', async () => {
  const { url } = sharedErrata();
  const ready = await fetch(`${url}/health/ready`);
  expect([ready.status, await ready.json()]).toEqual([200, { status: 'ok' }]);
  expect((await fetch(`${url}/metrics`)).status).toBe(401);
});

test('metrics count what was accepted', async () => {
  const { api, dsn, slug, errata } = await makeProject('metrics');
  const read = () => readMetrics(errata);
  const before = await read();
  expect(before).toMatch(/^# TYPE errata_\w+ counter$/m);
  const event = makeJavascriptError({ issue: 1, bytes: 2000 });
  await postEnvelope(parseDsn(dsn), eventEnvelope(event));
  await findEvent(api, slug, event.event_id);
  // Digest tells its figures now and then.
  for (const name of ['errata_ingest_answers_total', 'errata_digest_events']) {
    await until(`more of ${name}`, async () => sumOf(name, await read()) > sumOf(name, before));
  }
});

test('status of the command line names every role', async () => {
  const result = await sharedErrata().cli(['status']);
  expect(result.code).toBe(0);
  for (const role of ['edge', 'digest', 'web', 'jobs']) expect(result.stdout).toContain(role);
});

/** Of a metric, over all its labels. */
function sumOf(name: string, text: string): number {
  return [...text.matchAll(/^(\w+)(?:\{[^}]*\})? ([\d.e+-]+)$/gm)].reduce(
    (sum, [, found, value]) => sum + (found === name ? Number(value) : 0),
    0,
  );
}
