import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Whether a folder still holds a spool of release 0.1; what reads it is loaded only then. */
export const hasOldSpool = (folder: string): boolean => existsSync(join(folder, 'spool.mdb'));
