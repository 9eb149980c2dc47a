import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Direct dependencies that the build uses up: what the pages need of them is in the build. */
const BUILD_ONLY =
  /^(@base-ui\/react|@fontsource-variable\/.*|@modelcontextprotocol\/sdk|@sentry\/nextjs|@tailwindcss\/postcss|@tanstack\/react-virtual|@types\/.*|esbuild|lucide-react|marked|tailwindcss|typescript)$/;
/** Of packages that run: the compiler of the pages, and what resizes images, of which no page asks for any. */
const UNUSED_PARTS = /^(@next\/swc-.*|sharp)$/;
/** Left out of the build of the pages, by itself: what it needs is inside. */
const REQUIRED_BY_PAGES = 'node_modules/@sentry/server-runtime-injection';

/** Paths in the lockfile of every package that a built Errata may load, for all platforms. */
export function listRuntimePackages(lockfile) {
  const { packages } = lockfile;
  const root = packages[''];
  const needed = new Set(packages[REQUIRED_BY_PAGES] ? [REQUIRED_BY_PAGES] : []);
  const names = Object.keys({ ...root.dependencies, ...root.optionalDependencies });
  const queue = names.filter((name) => !BUILD_ONLY.test(name)).map((name) => [name, '']);
  for (let next = queue.pop(); next; next = queue.pop()) {
    const [name, from] = next;
    const path = UNUSED_PARTS.test(name) ? null : findPackage(packages, name, from);
    if (path === null || needed.has(path)) continue;
    needed.add(path);
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = packages[path];
    const peers = Object.keys(peerDependencies ?? {}).filter(
      (peer) => !peerDependenciesMeta?.[peer]?.optional,
    );
    const wanted = [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
    queue.push(...wanted.map((each) => [each, path]));
  }
  return needed;
}

/** As Node looks for it: below the one that asks, then below each that holds that one, then at the top. */
function findPackage(packages, name, from) {
  let folder = from;
  while (folder !== '') {
    const path = `${folder}/node_modules/${name}`;
    if (packages[path]) return path;
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')));
  }
  return packages[`node_modules/${name}`] ? `node_modules/${name}` : null;
}

/** Removes what only the build of the pages needs, and files that no program reads. */
export function removeBuildPackages(root) {
  const lockfile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const needed = listRuntimePackages(lockfile);
  const isHolder = (path) => [...needed].some((each) => each.startsWith(`${path}/`));
  for (const path of Object.keys(lockfile.packages)) {
    if (path === '' || needed.has(path) || isHolder(path)) continue;
    rmSync(join(root, path), { recursive: true, force: true });
  }
  // Headers for native modules, which nobody compiles here.
  for (const name of readdirSync(join(root, 'node_modules')).filter((each) => each.startsWith('node-'))) {
    rmSync(join(root, 'node_modules', name, 'include'), { recursive: true, force: true });
  }
  removeSourceMaps(join(root, 'node_modules/next/dist'));
  // npm believes this list, in which everything is installed, as long as it is there.
  rmSync(join(root, 'node_modules/.package-lock.json'), { force: true });
}

function removeSourceMaps(folder) {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && entry.name.endsWith('.map'))
      rmSync(join(entry.parentPath ?? entry.path, entry.name));
  }
}
