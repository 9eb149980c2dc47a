import { join } from 'node:path';

/** Where digest notes what it works on: see AttemptFile. */
export const attemptPath = (dataDir: string): string => join(spoolFolder(dataDir), 'digest-attempt.json');

/** Where edge notes since when it receives: see UptimeFile. */
export const uptimePath = (dataDir: string): string => join(spoolFolder(dataDir), 'edge-uptime.json');

export const spoolFolder = (dataDir: string): string => join(dataDir, 'spool');
