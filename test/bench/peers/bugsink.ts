import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { findFreePort } from '#storage/embedded/free-port.ts';
import { until } from '../../harness/until.ts';
import { findProgram, type Peer } from './peer.ts';

/** Its limits on how many events come, which are a setting, out of the way. */
const QUOTAS = ['PER_5_MINUTES', 'PER_HOUR', 'PER_MONTH'].flatMap((span) => [
  `MAX_EVENTS_PER_PROJECT_${span}`,
  `MAX_EVENTS_${span}`,
]);
const UNLIMITED = 10 ** 9;
const GUNICORN_WORKERS = 4;

/** As its guide for one server sets it up: gunicorn, its task runner, SQLite. Source: https://www.bugsink.com/docs/ */
export const bugsink: Peer = {
  name: 'Bugsink',
  async start(folder) {
    const manage = findProgram('bugsink-manage', 'ERRATA_BENCH_BUGSINK');
    if (manage === null)
      return 'bugsink-manage was not found: install bugsink from PyPI, and name its bin folder in ERRATA_BENCH_BUGSINK';
    const bin = (name: string) => path.join(path.dirname(manage), name);
    const port = await findFreePort();
    const env = { ...process.env, PYTHONPATH: folder, DJANGO_SETTINGS_MODULE: 'bugsink_conf' };
    const run = (program: string, ...args: string[]) =>
      execFileSync(program, args, { cwd: folder, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

    run(
      bin('bugsink-create-conf'),
      ...['--template=singleserver', '--host=127.0.0.1', `--port=${port}`, `--base-dir=${folder}`],
    );
    const quotas = QUOTAS.map((name) => `BUGSINK['${name}'] = ${UNLIMITED}\n`).join('');
    appendFileSync(path.join(folder, 'bugsink_conf.py'), `\n${quotas}`);
    run(manage, 'migrate', '--verbosity', '0');
    run(manage, 'migrate', 'snappea', '--database=snappea', '--verbosity', '0');
    const program =
      "from projects.models import Project; p = Project.objects.create(name='bench'); print(p.id, p.sentry_key.hex)";
    const [projectId = '', publicKey = ''] = (
      run(manage, 'shell', '-c', program).trim().split('\n').at(-1) ?? ''
    ).split(' ');

    const options = { cwd: folder, env, stdio: 'ignore' } as const;
    const gunicorn = ['--bind', `127.0.0.1:${port}`, '--workers', String(GUNICORN_WORKERS), 'bugsink.wsgi'];
    const children: ChildProcess[] = [
      spawn(bin('gunicorn'), gunicorn, options),
      spawn(bin('bugsink-runsnappea'), [], options),
    ];
    const origin = `http://127.0.0.1:${port}`;
    await until('Bugsink', async () => (await fetch(`${origin}/health/ready`)).ok, { timeoutMs: 60_000 });
    return {
      dsn: { origin, publicKey, projectId },
      port,
      pids: () => children.flatMap(({ pid }) => pid ?? []),
      countEvents: async () => {
        const database = new DatabaseSync(path.join(folder, 'db.sqlite3'), { readOnly: true });
        try {
          const row = database.prepare('SELECT digested_event_count AS events FROM projects_project').get();
          return Number(row?.events ?? 0);
        } finally {
          database.close();
        }
      },
      stop: async () => {
        const ended = children.map((child) => once(child, 'exit'));
        for (const child of children) child.kill();
        await Promise.all(ended);
      },
    };
  },
};
