// Run by the build with NODE_COMPILE_CACHE set: what is imported here is kept when the process ends.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SERVER_BUNDLE } from './server-bundle.mjs';

const load = (name) => import(pathToFileURL(join(SERVER_BUNDLE, name)).href);

/** These act when they are loaded; of the rest there is one for each role, and what they share. */
const PROGRAMS = ['main.mjs', 'clickhouse-child.mjs'];
for (const name of readdirSync(SERVER_BUNDLE)) {
  if (name.endsWith('.mjs') && !PROGRAMS.includes(name)) await load(name);
}
// Would say how it is used, and ends the process.
process.argv[2] = 'help';
process.stdout.write = () => true;
void load('main.mjs');
