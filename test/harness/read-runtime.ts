import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Where the stores of a running server are, with their passwords. */
export function readRuntimeUrls(dataDir: string): { databaseUrl: string; clickhouseUrl: string } {
  return JSON.parse(readFileSync(path.join(dataDir, 'runtime.json'), 'utf8')) as {
    databaseUrl: string;
    clickhouseUrl: string;
  };
}
