import { setTimeout as sleep } from 'node:timers/promises';
import { createApiClient } from '../../harness/api-client.ts';
import { parseDsn } from '../../harness/envelope.ts';
import { startErrata } from '../../harness/start-errata.ts';
import { countEvents } from '../../harness/stored-events.ts';
import { listParts } from '../measure-processes.ts';
import type { Peer } from './peer.ts';

const SLUG = 'bench';
/** Digest looks at the settings of a project that often. */
const SETTINGS_SEEN_MS = 3_000;

/** As `npm start` starts it; every body is kept, as the others keep them. */
export const errata: Peer = {
  name: 'Errata',
  async start(folder) {
    const server = await startErrata({ dataDir: folder, env: { ERRATA_LOG_LEVEL: 'warn' } });
    const api = createApiClient(server.url, await server.token());
    const dsn = parseDsn(await server.project(SLUG));
    const spikeProtection = { isEnabled: false, bodiesPerHour: 1_000 };
    await api.request('PUT', `/api/0/projects/main/${SLUG}/rate-limits/`, { spikeProtection });
    await sleep(SETTINGS_SEEN_MS);
    return {
      dsn,
      port: Number(new URL(server.url).port),
      pids: async () => [...(await listParts(server)).values()].flat(),
      countEvents: () => countEvents(api, SLUG),
      stop: async () => void (await server.stop()),
    };
  },
};
