import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeProject } from '../../harness/shared-errata.ts';
import { ROOT } from '../../harness/start-errata.ts';
import { until } from '../../harness/until.ts';

const PROGRAMS = path.join(ROOT, 'test/journeys/programs');
const INSTALL_MS_MAX = 120_000;
const VENV = path.join(ROOT, 'test-results/celery');
const PACKAGES = ['celery==5.7.0', 'sentry-sdk==2.75.0'];
/** A run each minute, one that takes longer than a minute, and a minute of grace. */
const MINUTES = { timeoutMs: 240_000 };

/** A Python that can import Celery and the SDK, which are installed once; null where they cannot be had. */
function findPython(): string | null {
  const python = path.join(VENV, 'bin/python3');
  const canImport = () => spawnSync(python, ['-c', 'import celery, sentry_sdk']).status === 0;
  if (canImport()) return python;
  const options = { timeout: INSTALL_MS_MAX };
  spawnSync('python3', ['-m', 'venv', VENV], options);
  spawnSync(python, ['-m', 'pip', 'install', '--quiet', ...PACKAGES], options);
  return canImport() ? python : null;
}

type CheckIn = { status: string };
type Issue = { title: string; status: string; count: string };

test('jobs of Celery beat and of @monitor fail, are missed, time out and recover', {
  timeout: 600_000,
}, async (context) => {
  const python = findPython();
  if (python === null) return context.skip('Celery and sentry-sdk could not be installed');
  const { api, slug, dsn } = await makeProject('celery');
  const [beat, slow] = [`tidy-${slug}`, `export-${slug}`];
  const folder = mkdtempSync(path.join(tmpdir(), 'errata-celery-'));
  mkdirSync(path.join(folder, 'queue'));
  const env = {
    ...process.env,
    SENTRY_DSN: dsn,
    BEAT_MONITOR: beat,
    SLOW_MONITOR: slow,
    JOBS_FOLDER: folder,
    PYTHONPATH: PROGRAMS,
    PYTHONDONTWRITEBYTECODE: '1',
  };
  const programs: ChildProcess[] = [];
  const start = (...args: string[]): ChildProcess => {
    const program = spawn(python, args, { cwd: folder, env, stdio: 'ignore' });
    programs.push(program);
    return program;
  };
  const startCelery = () => [
    start('-m', 'celery', '-A', 'celery_jobs', 'beat'),
    start('-m', 'celery', '-A', 'celery_jobs', 'worker', '--pool=solo'),
  ];
  const end = async (running: readonly ChildProcess[]) => {
    for (const program of running) {
      if (program.exitCode !== null || program.signalCode !== null) continue;
      const ended = once(program, 'exit');
      program.kill('SIGKILL');
      await ended;
    }
  };

  const statuses = async (monitor: string): Promise<readonly string[]> => {
    const { body } = await api.request('GET', `/api/0/projects/main/${slug}/monitors/${monitor}/checkins/`);
    return Array.isArray(body) ? (body as CheckIn[]).map(({ status }) => status) : [];
  };
  const issueIs = (monitor: string, status: string, timesSeen: number) =>
    until(
      `the issue of ${monitor} is ${status}, seen ${timesSeen} times`,
      async () => {
        const query = new URLSearchParams({ project: slug, query: 'issue.category:cron' });
        const { body } = await api.request('GET', `/api/0/organizations/main/issues/?${query}`);
        return (body as Issue[]).some(
          (issue) =>
            issue.title === `Cron failure: ${monitor}` &&
            issue.status === status &&
            Number(issue.count) === timesSeen,
        );
      },
      MINUTES,
    );

  try {
    writeFileSync(path.join(folder, 'broken'), '');
    const celery = startCelery();
    start(path.join(PROGRAMS, 'celery_jobs.py'), '90');
    await Promise.all([issueIs(beat, 'unresolved', 1), issueIs(slow, 'unresolved', 1)]);
    expect(await statuses(beat)).toContain('error');
    expect(await statuses(slow)).toEqual(['timeout']);

    rmSync(path.join(folder, 'broken'));
    await issueIs(beat, 'resolved', 1);
    await end(celery);
    start(path.join(PROGRAMS, 'celery_jobs.py'), '0');
    await issueIs(slow, 'resolved', 1);

    await issueIs(beat, 'unresolved', 2);
    expect(await statuses(beat)).toContain('missed');
    startCelery();
    await issueIs(beat, 'resolved', 2);
    expect((await statuses(beat))[0]).toBe('ok');
  } finally {
    await end(programs);
    rmSync(folder, { recursive: true, force: true });
  }
});
