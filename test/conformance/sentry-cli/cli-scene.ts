import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ApiClient, createApiClient } from '../../harness/api-client.ts';
import { buildEnvelope, eventEnvelope, newEventId } from '../../harness/envelope.ts';
import type { ErrataHandle } from '../../harness/start-errata.ts';
import { type CliMajor, type CliResult, runSentryCli } from './sentry-cli.ts';

export const ORGANIZATION = 'main';

/** With what a person does at a terminal, and a build which has the organization's token. */
const PERSON_SCOPES =
  'org:read,org:write,org:ci,project:read,project:write,project:admin,project:releases,event:read,event:write,event:admin,alerts:read';

/** A project with its own folder of sources, and whatever the steps leave behind for those after them. */
export type CliScene = {
  major: CliMajor;
  url: string;
  api: ApiClient;
  slug: string;
  dsn: string;
  folder: string;
  /** Of the organization, which builds have. */
  buildToken: string;
  /** With the signs that names of releases may have. */
  version: string;
  /** Runs a command as a build does, or as the given person. */
  run(args: readonly string[], options?: CliRunOptions): Promise<CliResult>;
  /** Facts that one step learned and a later one needs; throws when nobody noted it. */
  recall(name: string): string;
  note(name: string, value: string): void;
};

export type CliRunOptions = {
  as?: 'build' | 'person';
  env?: Readonly<Record<string, string>>;
  /** In place of the address of the server, for a person: the token of a build names its own. */
  url?: string;
  /** Kills the command. */
  signal?: AbortSignal;
};

export async function openCliScene(
  errata: ErrataHandle,
  major: CliMajor,
  program: string,
): Promise<CliScene> {
  const slug = `cli-${major}-${Math.random().toString(36).slice(2, 8)}`;
  const dsn = await errata.project(slug, 'javascript');
  const personToken = await errata.token(PERSON_SCOPES);
  const api = createApiClient(errata.url, personToken);
  const created = await api.request('POST', `/api/0/organizations/${ORGANIZATION}/org-auth-tokens/`, {
    name: slug,
  });
  const buildToken = (created.body as { token: string }).token;
  const folder = mkdtempSync(path.join(tmpdir(), 'errata-sentry-cli-'));
  writeSources(folder);
  const notes = new Map<string, string>();
  return {
    major,
    url: errata.url,
    api,
    slug,
    dsn,
    folder,
    buildToken,
    version: `${slug}@1.0.0+1`,
    run: (args, { as = 'build', env = {}, url, signal } = {}) =>
      runSentryCli(program, args, {
        folder,
        signal,
        env: {
          SENTRY_AUTH_TOKEN: as === 'build' ? buildToken : personToken,
          // The token of an organization tells the address and the organization itself.
          ...(as === 'build' ? {} : { SENTRY_URL: url ?? errata.url, SENTRY_ORG: ORGANIZATION }),
          SENTRY_PROJECT: slug,
          SENTRY_DSN: dsn,
          ...env,
        },
      }),
    recall(name) {
      const value = notes.get(name);
      if (value === undefined) throw new Error(`No step before this one noted "${name}"`);
      return value;
    },
    note: (name, value) => void notes.set(name, value),
  };
}

export const SCRIPT = 'function fail(){throw new Error("checkout")}\nfail();\n';
const SOURCE = 'export function fail(): never {\n  throw new Error("checkout");\n}\nfail();\n';
const MAP = {
  version: 3,
  file: 'app.js',
  sources: ['../src/app.ts'],
  sourcesContent: [SOURCE],
  names: ['fail'],
  mappings: 'AAAO,SAASA,OACd,MAAM;AAER',
};
const MAPPING = `# compiler: R8
com.example.shop.Checkout -> a.b:
    1:1:void pay():10:10 -> a
    2:2:void fail():20:20 -> b
`;

/** Two builds of the same script, a mapping, an event, an envelope, and a repository with two commits. */
function writeSources(folder: string): void {
  for (const build of ['injected', 'plain']) {
    mkdirSync(path.join(folder, build));
    writeFileSync(path.join(folder, build, 'app.js'), `${SCRIPT}//# sourceMappingURL=app.js.map\n`);
    writeFileSync(path.join(folder, build, 'app.js.map'), JSON.stringify(MAP));
  }
  writeFileSync(path.join(folder, 'mapping.txt'), MAPPING);
  writeFileSync(
    path.join(folder, 'mappings.json'),
    JSON.stringify([{ stackRoot: 'app/', sourceRoot: 'src/' }]),
  );
  const event = { event_id: newEventId(), platform: 'javascript', message: 'sent as a file', level: 'error' };
  writeFileSync(path.join(folder, 'event.json'), JSON.stringify(event));
  writeFileSync(path.join(folder, 'event.envelope'), eventEnvelope({ ...event, ...inEnvelope() }));
  writeFileSync(path.join(folder, 'log.envelope'), logEnvelope());
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ana', '-c', 'user.email=ana@example.com', ...args], {
      cwd: folder,
      stdio: 'pipe',
      env: { ...process.env, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' },
    });
  git('init', '--quiet', '--initial-branch=main');
  git('remote', 'add', 'origin', 'https://git.example.com/shop/web.git');
  for (const [index, subject] of ['Show the cart', 'Round the total of the cart'].entries()) {
    writeFileSync(path.join(folder, 'cart.ts'), `export const step = ${index};\n`);
    git('add', 'cart.ts');
    git('commit', '--quiet', '-m', subject);
  }
}

const inEnvelope = () => ({ event_id: newEventId(), message: 'sent in an envelope' });

function logEnvelope(): Buffer {
  const log = {
    timestamp: Date.now() / 1000,
    trace_id: newEventId(),
    level: 'warn',
    body: 'the cart is empty',
    attributes: {},
  };
  const headers = { item_count: 1, content_type: 'application/vnd.sentry.items.log+json' };
  return buildEnvelope({}, [{ type: 'log', payload: JSON.stringify({ items: [log] }), headers }]);
}

export const headOf = (folder: string): string =>
  execFileSync('git', ['rev-parse', 'HEAD'], { cwd: folder, encoding: 'utf8' }).trim();

/** The event id of a file that the scene wrote. */
export const eventIdIn = (folder: string): string =>
  (JSON.parse(readFileSync(path.join(folder, 'event.json'), 'utf8')) as { event_id: string }).event_id;
