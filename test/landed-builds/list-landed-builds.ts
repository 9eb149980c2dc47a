import { readdirSync } from 'node:fs';
import path from 'node:path';

export const BUILDS_FOLDER = path.join(import.meta.dirname, '../fixtures/builds');

/** What each build left that changed the schema, oldest first: see the README of the folder. */
export const listLandedBuilds = (): readonly { name: string; file: string }[] =>
  readdirSync(BUILDS_FOLDER)
    .filter((file) => file.endsWith('.backup'))
    .sort()
    .map((file) => ({ name: path.basename(file, '.backup'), file: path.join(BUILDS_FOLDER, file) }));
