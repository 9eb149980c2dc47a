import type { ApiEvent, ApiIssue } from '../../harness/api-client.ts';
import { until } from '../../harness/until.ts';
import { type CliScene, eventIdIn, ORGANIZATION } from './cli-scene.ts';
import { BOTH, type CliStep } from './cli-step.ts';
import { expectMatch, expectThat } from './expect-exit.ts';

const projectOf = ({ slug }: CliScene): string => `/api/0/projects/${ORGANIZATION}/${slug}`;
const WITHIN = { timeoutMs: 10_000, everyMs: 200 };

const findIssue = (scene: CliScene, title: string): Promise<ApiIssue> =>
  until(
    `the issue "${title}"`,
    async () =>
      (await scene.api.get<ApiIssue[]>(`${projectOf(scene)}/issues/?query=`)).find((issue) =>
        issue.title.includes(title),
      ),
    WITHIN,
  );

const issueOfEvents = async (scene: CliScene): Promise<ApiIssue> => findIssue(scene, 'from the shell');
const statusOf = async (scene: CliScene): Promise<string> => (await issueOfEvents(scene)).status;

const changes = (verb: string, status: string, words: string): CliStep => ({
  command: `issues ${verb} --id <issue>`,
  of: BOTH,
  args: (scene) => ['issues', verb, '--id', scene.recall('issue')],
  options: () => ({ as: 'person' }),
  async effect(scene) {
    expectThat((await statusOf(scene)) === status, `the status ${status}`);
    return words;
  },
});

export const EVENT_STEPS: readonly CliStep[] = [
  {
    command: 'send-event -m <message>',
    of: BOTH,
    args: ({ version }) => [
      ...['send-event', '-m', 'from the shell', '-r', version, '-t', 'shell:bash', '-E', 'staging'],
      ...['--level', 'warning'],
    ],
    async effect(scene, { stdout }) {
      const eventId = expectMatch(stdout, /([0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12})/).replaceAll(
        '-',
        '',
      );
      scene.note('event', eventId);
      const issue = await issueOfEvents(scene);
      scene.note('issue', issue.id);
      const event = await scene.api.get<ApiEvent>(`${projectOf(scene)}/events/${eventId}/`);
      expectThat(
        event.tags.some(({ key, value }) => key === 'shell' && value === 'bash'),
        'the tag',
      );
      return 'the event is there with release, tag, level and environment';
    },
  },
  {
    command: 'send-event <file>',
    of: BOTH,
    args: () => ['send-event', 'event.json'],
    async effect(scene) {
      await findIssue(scene, 'sent as a file');
      return 'the event of the file is there';
    },
  },
  {
    command: 'send-event --raw <file>',
    of: BOTH,
    args: () => ['send-event', '--raw', 'event.json'],
    async effect(scene) {
      const answer = await scene.api.request('GET', `${projectOf(scene)}/events/${eventIdIn(scene.folder)}/`);
      expectThat(answer.status === 200, `the event of the file, not ${answer.status}`);
      return 'the event is there under the id of the file';
    },
  },
  {
    command: 'send-envelope <file>',
    of: BOTH,
    args: () => ['send-envelope', 'event.envelope'],
    async effect(scene) {
      await findIssue(scene, 'sent in an envelope');
      return 'the event of the envelope is there';
    },
  },
  {
    command: 'send-envelope --raw <file>',
    of: BOTH,
    args: () => ['send-envelope', '--raw', 'log.envelope'],
    async effect(scene) {
      await until(
        'the log of the envelope',
        async () => (await scene.api.get<unknown[]>(`${projectOf(scene)}/logs/`)).length > 0,
        WITHIN,
      );
      return 'the log of the envelope is there';
    },
  },
  {
    command: 'events list',
    of: BOTH,
    args: () => ['events', 'list', '--show-user', '--show-tags'],
    options: () => ({ as: 'person' }),
    async effect(_scene, { stdout }) {
      expectThat(stdout.includes('from the shell'), 'the event');
      return 'prints the events with their tags';
    },
  },
  {
    command: 'logs list',
    of: BOTH,
    args: ({ slug }) => [
      'logs',
      'list',
      '--org',
      ORGANIZATION,
      '--project',
      slug,
      '--query',
      'severity:warn',
    ],
    options: () => ({ as: 'person' }),
    async effect(_scene, { stdout }) {
      expectThat(stdout.includes('the cart is empty'), 'the log');
      return 'prints the logs that the query finds';
    },
  },
  {
    command: 'issues list',
    of: BOTH,
    args: () => ['issues', 'list'],
    options: () => ({ as: 'person' }),
    async effect(_scene, { stdout }) {
      expectThat(stdout.includes('from the shell'), 'the issue');
      return 'prints the issues';
    },
  },
  changes('resolve', 'resolved', 'it is resolved'),
  changes('unresolve', 'unresolved', 'it is open again'),
  changes('mute', 'ignored', 'it is archived'),
  {
    command: 'issues unresolve --status muted',
    of: BOTH,
    args: () => ['issues', 'unresolve', '--status', 'muted'],
    options: () => ({ as: 'person' }),
    async effect(scene) {
      expectThat((await statusOf(scene)) === 'unresolved', 'an open issue');
      return 'all archived issues are open again';
    },
  },
  {
    command: 'issues resolve --all',
    of: BOTH,
    args: () => ['issues', 'resolve', '--all'],
    options: () => ({ as: 'person' }),
    async effect(scene) {
      expectThat((await statusOf(scene)) === 'resolved', 'a resolved issue');
      return 'all issues are resolved';
    },
  },
  {
    command: 'monitors run <slug> -- <command>',
    of: BOTH,
    args: ({ slug }) => ['monitors', 'run', slug, '--', 'true'],
    async effect(scene) {
      await findCheckIn(scene, 'ok');
      return 'a check-in, ok with its duration';
    },
  },
  {
    command: 'monitors run --schedule <crontab> <slug> -- <command that fails>',
    of: BOTH,
    args: ({ slug }) => ['monitors', 'run', '--schedule', '*/5 * * * *', slug, '--', 'false'],
    exitCode: 1,
    async effect(scene) {
      await findCheckIn(scene, 'error');
      return 'ends as the command does, with a check-in that failed';
    },
  },
  {
    command: 'monitors list',
    of: BOTH,
    args: () => ['monitors', 'list'],
    options: () => ({ as: 'person' }),
    async effect({ slug }, { stdout }) {
      expectThat(stdout.includes(slug), 'the monitor');
      return 'prints the monitors';
    },
  },
];

async function findCheckIn(scene: CliScene, status: string): Promise<void> {
  const path = `${projectOf(scene)}/check-ins/?monitorSlug=${scene.slug}`;
  await until(
    `a check-in that is ${status}`,
    async () => (await scene.api.get<{ status: string }[]>(path)).some((row) => row.status === status),
    WITHIN,
  );
  // It is made from the check-in, a moment later.
  const monitor = `/api/0/organizations/main/monitors/${scene.slug}/`;
  await until('the monitor', async () => (await scene.api.request('GET', monitor)).status === 200, WITHIN);
}
