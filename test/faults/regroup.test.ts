import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type ApiIssue, createApiClient } from '../harness/api-client.ts';
import { eventEnvelope, newEventId, parseDsn, postEnvelope } from '../harness/envelope.ts';
import { startErrata } from '../harness/start-errata.ts';
import { until } from '../harness/until.ts';

/** Each costs half a minute of leases and settling; all of them are gone through in one process by the product tests. */
const SOME = ['regroup-applied', 'regroup-day-moved'] as const;
const ALL = [
  'regroup-noted',
  'regroup-scanned',
  'regroup-applied',
  'regroup-day-moved',
  'regroup-moved',
  'regroup-finished',
] as const;

test.each(process.env.ERRATA_TEST_FULL ? ALL : SOME)(
  'the jobs role dies at %s: the regroup goes on, and every event counts once',
  async (point) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'errata-armed-'));
    const armed = path.join(folder, 'armed');
    await using server = await startErrata({ env: { ERRATA_FAULT_POINTS: `${point}:armed=${armed}` } });
    const api = createApiClient(server.url, await server.token());
    const dsn = parseDsn(await server.project('web'));
    for (const [type, value] of [
      ['PayError', 'one'],
      ['PayError', 'two'],
      ['PayError', 'two'],
      ['CartError', 'one'],
    ]) {
      const event = {
        event_id: newEventId(),
        fingerprint: [type!],
        exception: { values: [{ type, value }] },
      };
      expect((await postEnvelope(dsn, eventEnvelope(event))).status).toBe(200);
    }
    const listIssues = () => api.get<ApiIssue[]>('/api/0/projects/main/web/issues/?query=&limit=25');
    await until('the issues', async () => (await listIssues()).length === 2);

    const before = (await server.pids()).jobs;
    writeFileSync(armed, '');
    const answer = await api.request('PUT', '/api/0/projects/main/web/grouping-rules/', {
      fingerprint: 'error.value:two -> two',
      applyTo: 'history',
    });
    expect(answer.status).toBe(202);
    await until(
      'the end of the regroup',
      async () => {
        const { change } = await api.get<{ change: { state: string } }>(
          '/api/0/projects/main/web/grouping-rules/',
        );
        return change.state === 'done';
      },
      { timeoutMs: 150_000 },
    );
    await until('another jobs role', async () => (await server.pids()).jobs !== before);
    const issues = await listIssues();
    expect(issues.map(({ count }) => count).sort()).toEqual(['1', '1', '2']);
    for (const { id, count } of issues) {
      expect(await api.get<object[]>(`/api/0/issues/${id}/events/`)).toHaveLength(Number(count));
    }
  },
);
