import { eventEnvelope, newEventId, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { until } from '../../harness/until.ts';
import { type CliScene, SCRIPT } from './cli-scene.ts';
import type { CliStep } from './cli-step.ts';
import { expectThat } from './expect-exit.ts';
import { listBundles, projectOf } from './project-uploads.ts';

type ApiReleaseFile = { id: string; name: string; dist: string | null };

const DIST = 'dist-7';
/** Files by themselves are of a release of their own. */
const versionOf = ({ slug }: CliScene): string => `${slug}-files@2.0.0`;
const filesPath = (scene: CliScene): string =>
  `${projectOf(scene)}/releases/${encodeURIComponent(versionOf(scene))}/files/`;
const listFiles = (scene: CliScene): Promise<ApiReleaseFile[]> =>
  scene.api.list<ApiReleaseFile>(filesPath(scene));

/** What the last major still has, though it hides it: files one by one, and what it makes of them. */
export const RELEASE_FILE_STEPS: readonly CliStep[] = [
  {
    command: 'files upload <file> <name>',
    of: [2],
    args: (scene) => [
      ...['files', 'upload', '--release', versionOf(scene), '--dist', DIST],
      ...['plain/app.js', '~/static/app.js', '--file-header', 'Sourcemap:app.js.map'],
    ],
    async effect(scene) {
      const [file] = await listFiles(scene);
      expectThat(file?.name === '~/static/app.js' && file.dist === DIST, 'the file with its name and dist');
      const content = await scene.api.request('GET', `${filesPath(scene)}${file!.id}/?download=1`);
      expectThat(String(content.body).startsWith(SCRIPT), 'its content');
      return 'the file is there with name, dist and content';
    },
  },
  {
    command: 'files upload <map> <name>',
    of: [2],
    args: (scene) => [
      ...['files', 'upload', '--release', versionOf(scene), '--dist', DIST],
      ...['plain/app.js.map', '~/static/app.js.map'],
    ],
    async effect(scene) {
      const names = (await listFiles(scene)).map(({ name }) => name);
      expectThat(names.includes('~/static/app.js.map'), `the map among ${names.join(', ')}`);
      scene.note('thrown', await sendError(scene));
      return 'the map is there beside the script';
    },
  },
  {
    command: 'files list',
    of: [2],
    args: (scene) => ['files', '--release', versionOf(scene), 'list'],
    async effect(_scene, { stdout }) {
      expectThat(stdout.includes('~/static/app.js'), 'the file');
      return 'prints the files of the release';
    },
  },
  {
    command: 'sourcemaps explain <event>',
    of: [2],
    args: (scene) => ['sourcemaps', 'explain', scene.recall('thrown')],
    options: () => ({ as: 'person' }),
    async effect(_scene, { stdout }) {
      expectThat(/already source mapped|should be working fine/.test(stdout), 'that all is well');
      return 'says that the event is mapped, or can be';
    },
  },
  {
    command: 'sourcemaps explain --force <event>',
    of: [2],
    args: (scene) => ['sourcemaps', 'explain', '--force', scene.recall('thrown')],
    options: () => ({ as: 'person' }),
    async effect(_scene, { stdout }) {
      expectThat(stdout.includes('should be working fine'), 'that all is well');
      return 'goes from the frame to the file, to its map, to the source';
    },
  },
  {
    command: 'files upload <folder>',
    of: [2],
    args: (scene) => [
      ...['files', 'upload', '--release', versionOf(scene), '--dist', DIST],
      ...['plain', '--url-prefix', '~/static'],
    ],
    async effect(scene) {
      expectThat(await hasBundle(scene), 'an upload for the release');
      return 'the folder is one upload of the release';
    },
  },
  {
    command: 'files delete <name>',
    of: [2],
    args: (scene) => ['files', '--release', versionOf(scene), 'delete', '~/static/app.js'],
    async effect(scene) {
      const names = (await listFiles(scene)).map(({ name }) => name);
      expectThat(names.join() === '~/static/app.js.map', `the map alone, not ${names.join(', ')}`);
      return 'the file is gone';
    },
  },
  {
    command: 'files delete --all',
    of: [2],
    args: (scene) => ['files', '--release', versionOf(scene), 'delete', '--all'],
    options: () => ({ as: 'person' }),
    async effect(scene) {
      expectThat(!(await hasBundle(scene)), 'no upload of the release');
      expectThat((await listFiles(scene)).length === 0, 'no file of the release');
      return 'nothing is left of the release';
    },
  },
];

const hasBundle = async (scene: CliScene): Promise<boolean> =>
  (await listBundles(scene)).some(({ associations }) =>
    associations.some(({ release }) => release === versionOf(scene)),
  );

/** An error that the script throws, at the `new` of its first line; answers its id once it can be read. */
async function sendError(scene: CliScene): Promise<string> {
  const eventId = newEventId();
  const frame = {
    abs_path: 'https://shop.example.com/static/app.js',
    filename: '/static/app.js',
    function: 'fail',
    lineno: 1,
    colno: 23,
    in_app: true,
  };
  const event = {
    event_id: eventId,
    platform: 'javascript',
    release: versionOf(scene),
    dist: DIST,
    exception: { values: [{ type: 'Error', value: 'checkout', stacktrace: { frames: [frame] } }] },
  };
  await postEnvelope(parseDsn(scene.dsn), eventEnvelope(event));
  await until(
    'the error of the script',
    async () =>
      (await scene.api.request('GET', `${projectOf(scene)}/events/${eventId}/json/`)).status === 200,
    { timeoutMs: 10_000, everyMs: 200 },
  );
  return eventId;
}
