import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ErrataHandle } from './start-errata.ts';

type Server = Pick<ErrataHandle, 'url' | 'dataDir'>;

/** As somebody who may read the data directory. */
function ask({ url, dataDir }: Server, address: string): Promise<Response> {
  const token = readFileSync(path.join(dataDir, 'metrics-token'), 'utf8').trim();
  return fetch(`${url}${address}`, { headers: { authorization: `Bearer ${token}` } });
}

export async function readMetrics(server: Server): Promise<string> {
  const response = await ask(server, '/metrics');
  if (!response.ok) throw new Error(`/metrics answered ${response.status}`);
  return response.text();
}

export async function readReadiness(server: Server) {
  const response = await ask(server, '/health/ready');
  const body = (await response.json()) as {
    status: string;
    checks: Record<string, { ok: boolean; detail: string }>;
  };
  return { httpStatus: response.status, ...body };
}
