import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Where the build puts the server's own code, in a few files. */
export const SERVER_BUNDLE = join(ROOT, '.next/errata-server');

/** What a start runs: the bundle of the build where it is that of the sources, else (while developing) the sources. */
export function serverEntry({ isCurrent }) {
  const bundled = join(SERVER_BUNDLE, 'main.mjs');
  return isCurrent && existsSync(bundled) ? bundled : join(ROOT, 'src/main.ts');
}
