import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readOrMakeSecret } from '#lib/secret-file.ts';
import type { Config } from '../config.ts';

export const metricsTokenFile = (dataDir: string): string => join(dataDir, 'metrics-token');

/** The token of the server that runs here; null when neither a setting nor the data directory names it. */
export function findMetricsToken({ metricsToken, dataDir }: Pick<Config, 'metricsToken' | 'dataDir'>) {
  if (metricsToken !== null) return metricsToken;
  const file = metricsTokenFile(dataDir);
  return existsSync(file) ? readOrMakeSecret(file) : null;
}
