import { join } from 'node:path';

/** Where digest notes what it works on: see AttemptFile. */
export const attemptPath = (dataDir: string): string => join(spoolFolder(dataDir), 'digest-attempt.json');

export const spoolFolder = (dataDir: string): string => join(dataDir, 'spool');
