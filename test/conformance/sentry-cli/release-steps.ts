import { type CliScene, headOf, ORGANIZATION } from './cli-scene.ts';
import { BOTH, type CliStep } from './cli-step.ts';
import { expectThat } from './expect-exit.ts';

type ApiRelease = {
  version: string;
  status: string;
  dateReleased: string | null;
  commitCount: number;
  lastCommit: { id: string } | null;
  projects: { slug: string }[];
};
type ApiDeploy = { environment: string; name: string | null };
type ApiCommit = { id: string; message: string };

const releaseOf = (scene: CliScene, rest = ''): string =>
  `/api/0/organizations/${ORGANIZATION}/releases/${encodeURIComponent(scene.version)}/${rest}`;

const getRelease = (scene: CliScene): Promise<ApiRelease> => scene.api.get<ApiRelease>(releaseOf(scene));

/** `releases` and what is below it, in the order of a build. */
export const RELEASE_STEPS: readonly CliStep[] = [
  {
    command: 'releases propose-version',
    of: BOTH,
    args: () => ['releases', 'propose-version'],
    async effect({ folder }, { stdout }) {
      const head = headOf(folder);
      expectThat(stdout.trim() === head, `the newest commit ${head}`);
      return 'prints the newest commit of the repository';
    },
  },
  {
    command: 'releases new <version>',
    of: BOTH,
    args: ({ version }) => ['releases', 'new', version, '--url', 'https://ci.example.com/builds/1'],
    async effect(scene) {
      const release = await getRelease(scene);
      expectThat(release.dateReleased === null, 'a release that is not released yet');
      expectThat(
        release.projects.some(({ slug }) => slug === scene.slug),
        `a release of ${scene.slug}`,
      );
      return 'the release is there, for the project';
    },
  },
  {
    command: 'releases set-commits <version> --local',
    of: BOTH,
    args: ({ version }) => ['releases', 'set-commits', version, '--local', '--initial-depth', '2'],
    async effect(scene) {
      const commits = await scene.api.get<ApiCommit[]>(releaseOf(scene, 'commits/'));
      expectThat(commits[0]?.id === headOf(scene.folder), 'the newest commit first');
      return `${commits.length} commits, the newest first`;
    },
  },
  {
    command: 'repos list',
    of: BOTH,
    args: () => ['repos', 'list'],
    async effect(scene) {
      const repositories = await scene.api.get<{ name: string }[]>(
        `/api/0/organizations/${ORGANIZATION}/repos/`,
      );
      const [repository] = repositories;
      expectThat(repository !== undefined, 'the repository of the commits');
      scene.note('repository', repository!.name);
      return `${repositories.length} repositories, the one of the commits among them`;
    },
  },
  {
    command: 'releases set-commits <version> --commit <repo>@<from>..<to>',
    of: BOTH,
    args: (scene) => [
      ...['releases', 'set-commits', scene.version],
      ...['--commit', `${scene.recall('repository')}@aaaaaaa..${headOf(scene.folder)}`],
    ],
    async effect(scene) {
      const { lastCommit } = await getRelease(scene);
      expectThat(lastCommit?.id === headOf(scene.folder), 'the commit that the release ends with');
      return 'the release ends with the commit';
    },
  },
  {
    command: 'code-mappings upload <file>',
    of: [3],
    args: (scene) => [
      ...['code-mappings', 'upload', 'mappings.json'],
      ...['--repo', scene.recall('repository'), '--default-branch', 'main'],
    ],
    async effect(scene) {
      const mappings = await scene.api.get<{ stackRoot: string; projectSlug: string }[]>(
        `/api/0/organizations/${ORGANIZATION}/code-mappings/`,
      );
      expectThat(
        mappings.some(({ stackRoot, projectSlug }) => stackRoot === 'app/' && projectSlug === scene.slug),
        'the mapping',
      );
      return 'the mapping is there, for the project';
    },
  },
  {
    command: 'releases set-commits <version> --auto',
    of: BOTH,
    args: ({ version }) => ['releases', 'set-commits', version, '--auto'],
    async effect(scene) {
      const release = await getRelease(scene);
      expectThat(release.commitCount > 0, 'commits');
      return `${release.commitCount} commits`;
    },
  },
  {
    command: 'releases finalize <version>',
    of: BOTH,
    args: ({ version }) => ['releases', 'finalize', version],
    async effect(scene) {
      const { dateReleased } = await getRelease(scene);
      expectThat(dateReleased !== null, 'a date of the release');
      return 'it has a date';
    },
  },
  {
    command: 'releases info <version>',
    of: BOTH,
    args: ({ version }) => ['releases', 'info', version, '--show-projects', '--show-commits'],
    async effect(scene, { stdout }) {
      expectThat(stdout.includes(scene.version), 'the version in the output');
      return 'prints the release';
    },
  },
  {
    command: 'releases list',
    of: BOTH,
    args: () => ['releases', 'list'],
    async effect(_scene, { stdout }) {
      // A version is printed without its package, and a long build is cut.
      expectThat(stdout.includes('1.0.0'), 'the version in the output');
      return 'prints the releases of the project';
    },
  },
  {
    command: 'releases archive <version>',
    of: BOTH,
    args: ({ version }) => ['releases', 'archive', version],
    async effect(scene) {
      expectThat((await getRelease(scene)).status === 'archived', 'an archived release');
      return 'it is archived';
    },
  },
  {
    command: 'releases restore <version>',
    of: BOTH,
    args: ({ version }) => ['releases', 'restore', version],
    async effect(scene) {
      expectThat((await getRelease(scene)).status === 'open', 'an open release');
      return 'it is open again';
    },
  },
  {
    command: 'deploys new --env production',
    of: BOTH,
    args: ({ version }) => [
      'deploys',
      '--release',
      version,
      'new',
      '--env',
      'production',
      '--name',
      'Tuesday',
    ],
    async effect(scene) {
      const [deploy] = await scene.api.get<ApiDeploy[]>(releaseOf(scene, 'deploys/'));
      expectThat(deploy?.environment === 'production' && deploy.name === 'Tuesday', 'the deploy');
      return 'the deploy is there, with environment and name';
    },
  },
  {
    command: 'deploys list',
    of: BOTH,
    args: ({ version }) => ['deploys', '--release', version, 'list'],
    async effect(_scene, { stdout }) {
      expectThat(stdout.includes('production'), 'the deploy in the output');
      return 'prints the deploys';
    },
  },
];

/** A release in which nothing has happened: only such a one can be deleted. */
const unused = ({ slug }: CliScene): string => `${slug}@0.9.0`;
const unusedStatus = async (scene: CliScene): Promise<number> => {
  const path = `/api/0/organizations/${ORGANIZATION}/releases/${encodeURIComponent(unused(scene))}/`;
  return (await scene.api.request('GET', path)).status;
};

export const RELEASE_DELETE_STEPS: readonly CliStep[] = [
  {
    command: 'releases new --finalize <version>',
    of: BOTH,
    args: (scene) => ['releases', 'new', '--finalize', unused(scene)],
    async effect(scene) {
      expectThat((await unusedStatus(scene)) === 200, 'the release');
      return 'the release is there';
    },
  },
  {
    command: 'releases delete <version>',
    of: BOTH,
    args: (scene) => ['releases', 'delete', unused(scene)],
    options: () => ({ as: 'person' }),
    async effect(scene) {
      expectThat((await unusedStatus(scene)) === 404, 'no such release');
      return 'the release is gone';
    },
  },
];
