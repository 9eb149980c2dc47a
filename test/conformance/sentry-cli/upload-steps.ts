import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { CliScene } from './cli-scene.ts';
import { BOTH, type CliStep } from './cli-step.ts';
import { expectMatch, expectThat } from './expect-exit.ts';
import { type ApiBundle, listBundles, projectOf } from './project-uploads.ts';
import { RELEASE_FILE_STEPS } from './release-file-steps.ts';

type ApiBundleFile = { filePath: string; fileType: number; debugId: string | null };
type ApiMapping = { debugId: string; symbolType: string };

const filesOf = async (scene: CliScene, { bundleId }: ApiBundle): Promise<ApiBundleFile[]> =>
  (await scene.api.get<{ files: ApiBundleFile[] }>(`${projectOf(scene)}/artifact-bundles/${bundleId}/files/`))
    .files;

const DIST = 'dist-7';

export const UPLOAD_STEPS: readonly CliStep[] = [
  {
    command: 'sourcemaps inject <folder>',
    of: BOTH,
    args: () => ['sourcemaps', 'inject', 'injected'],
    async effect(scene) {
      const script = readFileSync(path.join(scene.folder, 'injected/app.js'), 'utf8');
      scene.note('debug id', expectMatch(script, /debugId=([0-9a-f-]{36})/));
      return 'the script names its debug id';
    },
  },
  {
    command: 'sourcemaps upload <folder>',
    of: BOTH,
    args: () => ['sourcemaps', 'upload', 'injected'],
    async effect(scene) {
      const [bundle] = await listBundles(scene);
      expectThat(bundle?.associations.length === 0, 'an upload without a release');
      const files = await filesOf(scene, bundle!);
      const ids = files.map(({ debugId }) => debugId);
      expectThat(
        ids.filter((id) => id === scene.recall('debug id')).length === 2,
        `script and map with the debug id, not ${ids.join(', ')}`,
      );
      return 'script and map are found by the debug id';
    },
  },
  {
    command: 'sourcemaps upload <folder> (again)',
    of: BOTH,
    args: () => ['sourcemaps', 'upload', 'injected', '--wait'],
    async effect(scene) {
      const bundles = await listBundles(scene);
      expectThat(bundles.length === 1, `one upload, not ${bundles.length}`);
      return 'the same upload is the one that there is';
    },
  },
  {
    command: 'sourcemaps upload --release <version> --dist <dist> --url-prefix <prefix> <folder>',
    of: BOTH,
    args: ({ version }) => [
      ...['sourcemaps', 'upload', '--release', version, '--dist', DIST, '--url-prefix', '~/static'],
      ...['plain', '--wait'],
    ],
    async effect(scene) {
      const bundles = await listBundles(scene);
      const bundle = bundles.find(({ associations }) =>
        associations.some(({ release, dist }) => release === scene.version && dist === DIST),
      );
      expectThat(bundle !== undefined, 'an upload for release and dist');
      const names = (await filesOf(scene, bundle!)).map(({ filePath }) => filePath);
      expectThat(names.includes('~/static/app.js'), `~/static/app.js among ${names.join(', ')}`);
      return 'script and map are there for release and dist';
    },
  },
  {
    command: 'sourcemaps upload (with a file that is no map)',
    of: BOTH,
    args: () => ['sourcemaps', 'upload', 'mapping.txt', '--ext', 'txt'],
    async effect(scene) {
      const bundles = await listBundles(scene);
      expectThat(bundles.length === 3, `three uploads, not ${bundles.length}`);
      return 'is kept as a file of its own kind';
    },
  },
  {
    command: 'sourcemaps resolve <map> -l <line> -c <column>',
    of: BOTH,
    args: () => ['sourcemaps', 'resolve', 'plain/app.js.map', '-l', '1', '-c', '17'],
    async effect(_scene, { stdout }) {
      expectThat(stdout.includes('app.ts'), 'the source');
      return 'prints the source; asks no server';
    },
  },
  ...RELEASE_FILE_STEPS,
  {
    command: 'upload-proguard <mapping>',
    of: BOTH,
    args: () => ['upload-proguard', 'mapping.txt', '--write-properties', 'mapping.properties'],
    effect: findMapping,
  },
  {
    command: 'proguard upload <mapping>',
    of: [3],
    args: () => ['proguard', 'upload', 'mapping.txt', '--write-properties', 'mapping.properties'],
    effect: findMapping,
  },
  {
    command: 'debug-files upload <native file>',
    of: BOTH,
    args: () => ['debug-files', 'upload', '--wait', process.execPath],
    exitCode: 1,
    async effect(scene, { stdout, stderr }) {
      expectThat(/dump_syms/.test(`${stdout}${stderr}`), 'the reason');
      const files = await scene.api.get<ApiMapping[]>(`${projectOf(scene)}/files/dsyms/`);
      expectThat(
        files.every(({ symbolType }) => symbolType === 'proguard'),
        'mappings alone',
      );
      return 'is refused with what to convert it to';
    },
  },
];

async function findMapping(scene: CliScene): Promise<string> {
  const file = path.join(scene.folder, 'mapping.properties');
  expectThat(existsSync(file), 'the properties');
  const uuid = expectMatch(readFileSync(file, 'utf8'), /ProguardUuids=([0-9a-f-]{36})/);
  const mappings = await scene.api.get<ApiMapping[]>(`${projectOf(scene)}/files/dsyms/`);
  expectThat(
    mappings.some(({ debugId }) => debugId === uuid),
    `${uuid} among ${mappings.map(({ debugId }) => debugId).join(', ')}`,
  );
  return 'the mapping is found by its id';
}
