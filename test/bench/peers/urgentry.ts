import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { findFreePort } from '#storage/embedded/free-port.ts';
import { type ApiIssue, createApiClient } from '../../harness/api-client.ts';
import { parseDsn } from '../../harness/envelope.ts';
import { until } from '../../harness/until.ts';
import { findProgram, type Peer } from './peer.ts';

/**
 * In its mode for one machine, which is one program with SQLite. What it prints names no key, so that it is asked for it
 * as Sentry is. Source: docs/tiny/binary-install-guide.md and scripts/tiny-smoke.sh of its repository.
 */
export const urgentry: Peer = {
  name: 'urgentry',
  async start(folder) {
    const program = findProgram('urgentry', 'ERRATA_BENCH_URGENTRY');
    if (program === null)
      return 'urgentry was not found: build it from its source, and name its folder in ERRATA_BENCH_URGENTRY';
    const port = await findFreePort();
    const token = `gpat_${randomBytes(16).toString('hex')}`;
    const child = spawn(program, ['serve', '--role=all'], {
      stdio: 'ignore',
      env: {
        ...process.env,
        URGENTRY_DATA_DIR: folder,
        URGENTRY_HTTP_ADDR: `127.0.0.1:${port}`,
        URGENTRY_BASE_URL: `http://127.0.0.1:${port}`,
        URGENTRY_BOOTSTRAP_PAT: token,
      },
    });
    const origin = `http://127.0.0.1:${port}`;
    await until('urgentry', async () => (await fetch(`${origin}/readyz`)).ok, { timeoutMs: 60_000 });
    const api = createApiClient(origin, token);
    const [organization] = await api.get<{ slug: string }[]>('/api/0/organizations/');
    const [project] = await api.get<{ slug: string }[]>(
      `/api/0/organizations/${organization?.slug}/projects/`,
    );
    const ofProject = `/api/0/projects/${organization?.slug}/${project?.slug}`;
    const [key] = await api.get<{ dsn: { public: string } }[]>(`${ofProject}/keys/`);
    if (!key) throw new Error('urgentry has no client key');
    return {
      dsn: parseDsn(key.dsn.public),
      port,
      pids: () => (child.pid === undefined ? [] : [child.pid]),
      countEvents: async () => {
        const issues = await api.list<ApiIssue>(`${ofProject}/issues/`);
        return issues.reduce((sum, { count }) => sum + Number(count), 0);
      },
      stop: async () => {
        const ended = once(child, 'exit');
        child.kill();
        await ended;
      },
    };
  },
};
