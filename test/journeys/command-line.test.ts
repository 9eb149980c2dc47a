import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createApiClient } from '../harness/api-client.ts';
import { findCounted, findIssue } from '../harness/find-event.ts';
import { testInFull } from '../harness/is-full.ts';
import { makeProject, sharedErrata } from '../harness/shared-errata.ts';
import { runCli } from '../harness/start-errata.ts';

describe('what scripts rely on', () => {
  testInFull('dsn and token print nothing but what was asked for', async () => {
    const { errata, slug } = await makeProject('cli');
    const dsn = await errata.cli(['dsn', slug]);
    expect(dsn).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^http:\/\/[0-9a-f]{32}@[^\s]+\/\d+\n$/),
    });
    const token = await errata.cli(['token', 'create', '--scopes', 'event:read,project:read,org:read']);
    expect(token).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\S+\n$/) });
    const api = createApiClient(errata.url, token.stdout.trim());
    expect((await api.request('GET', `/api/0/projects/main/${slug}/issues/`)).status).toBe(200);
  });

  test('a test event arrives as an issue', async () => {
    const { errata, api, slug } = await makeProject('cli-test-event');
    const sent = await errata.cli(['send-test-event', slug]);
    expect([sent.code, sent.stderr]).toEqual([0, '']);
    const issue = await findIssue(api, slug, () => true);
    expect(sent.stdout).toMatch(new RegExp(`^[0-9a-f]{32}\\n${errata.url}/main/issues/${issue.shortId}\\n$`));
    await findCounted(api, issue.id, 1);
  });

  test('config check accepts what the server runs with', async () => {
    expect((await sharedErrata().cli(['config', 'check'])).code).toBe(0);
  });

  test('doctor looks at every part and both stores, and its bundle holds no secret', async () => {
    const { cli, dataDir } = sharedErrata();
    const bundle = path.join(mkdtempSync(path.join(tmpdir(), 'errata-doctor-')), 'bundle.gz');
    const { stdout, stderr } = await cli(['doctor', '--bundle', bundle]);
    for (const about of ['settings', 'edge', 'digest', 'web', 'jobs', 'PostgreSQL', 'ClickHouse', 'disk'])
      expect(stdout).toMatch(new RegExp(`^ok +${about}: `, 'm'));
    expect(stderr).toContain(bundle);
    const text = gunzipSync(readFileSync(bundle)).toString('utf8');
    for (const file of ['secret', 'metrics-token', 'postgres-password', 'clickhouse-password'])
      expect(text).not.toContain(readFileSync(path.join(dataDir, file), 'utf8').trim());
  });
});

describe('exit codes', () => {
  testInFull('1 when it failed: a slug that is taken, a project that is not there', async () => {
    const { errata, slug } = await makeProject('cli-codes');
    const taken = await errata.cli(['project', 'create', slug]);
    expect([taken.code, taken.stdout]).toEqual([1, '']);
    expect(taken.stderr).toContain(slug);
    const missing = await errata.cli(['dsn', 'no-such-project']);
    expect([missing.code, missing.stdout]).toEqual([1, '']);
    expect(missing.stderr).toContain('no-such-project');
  });

  test('2 for wrong usage', async () => {
    const errata = sharedErrata();
    for (const args of [
      ['fly'],
      ['project', 'create'],
      ['token', 'create', '--scopes', 'event:fly'],
      ['dsn', 'a', '--nope'],
    ]) {
      const result = await errata.cli(args);
      expect([args.join(' '), result.code]).toEqual([args.join(' '), 2]);
      expect(result.stderr).not.toBe('');
    }
  });

  test('3 when no server or store is reached', async () => {
    const dataDir = path.join(mkdtempSync(path.join(tmpdir(), 'errata-empty-')), 'data');
    const result = await runCli(['dsn', 'default'], { ERRATA_DATA_DIR: dataDir });
    expect([result.code, result.stdout]).toEqual([3, '']);
    expect(result.stderr).toContain('serve');
  });

  test('2 with the name for a setting that is wrong', async () => {
    const result = await runCli(['config', 'check'], { ERRATA_SPOOL_BYTES_MAX: 'plenty' });
    expect(result.code).not.toBe(0);
    expect(result.stderr).toContain('ERRATA_SPOOL_BYTES_MAX');
  });
});
