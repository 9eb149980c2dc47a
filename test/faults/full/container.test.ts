import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFreePort } from '#storage/embedded/free-port.ts';
import { createApiClient } from '../../harness/api-client.ts';
import { buildImage, containersMissing, inContainers } from '../../harness/containers.ts';
import { findEvent } from '../../harness/find-event.ts';
import { readEventId, runProgram } from '../../harness/run-program.ts';
import { ADMIN } from '../../harness/start-errata.ts';
import { until } from '../../harness/until.ts';

const missing = containersMissing();
const IMAGE = process.env.ERRATA_TEST_IMAGE ?? 'localhost/errata:test';
const NAME = `errata-test-${process.pid}`;
const START_MS_MAX = 8 * 60_000;
/** As the compose file of the small form has it, within 1 GB. */
const CONFINED = [
  '--read-only',
  '--tmpfs=/tmp:size=256m,mode=1777',
  '--cap-drop=ALL',
  '--security-opt=no-new-privileges',
  '--memory=1g',
  // What the machine of the test may allow is less than what compose asks for.
  '--ulimit=nofile=20000:20000',
  '--ulimit=nproc=32768:32768',
  '--network=host',
];
const EVENT_SCOPES = 'org:read,project:read,event:read';

const logs = async (name: string) => {
  const { stdout, stderr } = await inContainers(['logs', name]);
  return `${stdout}${stderr}`;
};
const exec = async (name: string, ...command: string[]) =>
  (await inContainers(['exec', name, ...command])).stdout;
const readyTimes = async (name: string) => (await logs(name)).match(/^Started in .* s\./gm)?.length ?? 0;

describe.skipIf(missing !== null)(missing === null ? 'the image' : `the image (skipped: ${missing})`, () => {
  let port: number;
  beforeAll(async () => {
    port = await findFreePort();
    if (!process.env.ERRATA_TEST_IMAGE) await buildImage(IMAGE);
    await inContainers([
      ...['run', '--detach', '--name', NAME, '--volume', `${NAME}:/data`, ...CONFINED],
      ...['--env', `PORT=${port}`, '--env', `ERRATA_URL=http://127.0.0.1:${port}`],
      ...['--env', `ERRATA_ADMIN_EMAIL=${ADMIN.email}`, '--env', `ERRATA_ADMIN_PASSWORD=${ADMIN.password}`],
      IMAGE,
    ]);
    await until('a server that is ready', async () => (await readyTimes(NAME)) === 1, {
      timeoutMs: START_MS_MAX,
    });
  }, 40 * 60_000);
  afterAll(async () => {
    await inContainers(['rm', '--force', '--volumes', NAME]).catch(() => {});
    await inContainers(['volume', 'rm', '--force', NAME]).catch(() => {});
  });

  test('every process runs as its user, without rights, and can write nothing of the program', async () => {
    const states = await exec(NAME, 'sh', '-c', 'cat /proc/[0-9]*/status');
    const uids = [...states.matchAll(/^Uid:\t(\d+)/gm)].map(([, uid]) => uid);
    expect(uids.length).toBeGreaterThan(5);
    // Whoever passes signals on and collects what has ended is not ours.
    expect(uids.filter((uid) => uid !== '10001')).toEqual([]);
    expect(
      [...states.matchAll(/^CapEff:\t(\w+)/gm)].map(([, caps]) => Number.parseInt(caps ?? '1', 16)),
    ).toEqual(uids.map(() => 0));
    await expect(exec(NAME, 'touch', '/opt/errata/written')).rejects.toThrow(/Read-only|Permission/);
  });

  test('its health is checked, and the bound of its memory is seen', async () => {
    await exec(NAME, 'node', '/opt/errata/bin/is-healthy.mjs');
    const status = await exec(NAME, 'errata', 'status');
    expect(status).toMatch(/^ok {6}web /m);
    expect(status).toMatch(/memory +the small profile, of 1024 MiB/);
  });

  test('an event of an SDK is there after a stop and a start', async () => {
    const dsn = /^DSN: (\S+)/m.exec(await logs(NAME))?.[1] ?? '';
    const sent = await runProgram('node-captures.mjs', { env: { SENTRY_DSN: dsn } });
    const eventId = readEventId(sent);
    const token = (await exec(NAME, 'errata', 'token', 'create', '--scopes', EVENT_SCOPES)).trim();
    const api = createApiClient(`http://127.0.0.1:${port}`, token);
    const { issue } = await findEvent(api, 'default', eventId);
    const startedAt = performance.now();
    await inContainers(['stop', '--time', '30', NAME]);
    expect(performance.now() - startedAt).toBeLessThan(30_000);
    const { stdout } = await inContainers(['inspect', '--format', '{{.State.ExitCode}}', NAME]);
    expect(stdout.trim()).toBe('0');
    expect(await logs(NAME)).toContain('Errata has stopped.');
    await inContainers(['start', NAME]);
    await until('a server that is ready again', async () => (await readyTimes(NAME)) === 2, {
      timeoutMs: START_MS_MAX,
    });
    expect((await findEvent(api, 'default', eventId)).issue.id).toBe(issue.id);
  });
});
