// npm run conformance:sdks: real SDKs against a server of its own; prints a table SDK × kind of item. Ends with 1 when
// something that an SDK sent is not readable.
import { parseArgs } from 'node:util';
import { type ApiClient, createApiClient } from '../harness/api-client.ts';
import { readOutcomes } from '../harness/outcome-counts.ts';
import { startErrata } from '../harness/start-errata.ts';
import { until } from '../harness/until.ts';
import { KINDS, type Kind, SDK_RUNS } from './sdk-runs.ts';
import { Unavailable } from './unavailable.ts';

const READABLE_WITHIN_MS = 20_000;
/** Where rows of a kind are listed, below the project's address. */
const LISTS: Readonly<Record<Exclude<Kind, 'errors' | 'messages' | 'attachments'>, string>> = {
  transactions: 'transactions',
  spans: 'spans',
  logs: 'logs',
  metrics: 'metrics',
  sessions: 'sessions',
  'check-ins': 'check-ins',
  feedback: 'user-feedback',
  replays: 'replays',
  profiles: 'profiles',
};

const { values } = parseArgs({ options: { only: { type: 'string' } } });
const runs = SDK_RUNS.filter(({ name }) => !values.only || name.includes(values.only));

await using server = await startErrata();
const api = createApiClient(server.url, await server.token());
const rows: string[] = [];
const notes: string[] = [];
let failures = 0;

for (const [index, { name, sends, run }] of runs.entries()) {
  const slug = `sdk-${index}`;
  const dsn = await server.project(slug);
  console.error(`${name} …`);
  try {
    const version = await run(dsn);
    const missing = await findMissing(slug, sends);
    failures += missing.length;
    rows.push(
      `| ${name} ${version} | ${KINDS.map((kind) => (missing.includes(kind) ? '**missing**' : sends.includes(kind) ? 'yes' : '–')).join(' | ')} |`,
    );
    const outcomes = await readOutcomes(api, slug);
    notes.push(`${name}: ${[...outcomes].map(([outcome, count]) => `${outcome} ${count}`).join(', ')}`);
  } catch (error) {
    if (!(error instanceof Unavailable)) {
      failures += 1;
      console.error(error);
    }
    rows.push(`| ${name} | ${KINDS.map(() => ' ').join(' | ')} |`);
    notes.push(`${name}: skipped: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`);
  }
}

console.log(`\n| SDK | ${KINDS.join(' | ')} |\n| --- |${' --- |'.repeat(KINDS.length)}`);
for (const row of rows) console.log(row);
console.log('\n"–": the SDK has no such thing, or needs more than a program of one file for it.\n');
for (const note of notes) console.log(`- ${note}`);
process.exitCode = failures > 0 ? 1 : 0;

async function findMissing(slug: string, sends: readonly Kind[]): Promise<Kind[]> {
  let missing: Kind[] = [...sends];
  const errors = new Map<Kind, string>();
  const look = async (kind: Kind): Promise<boolean> => {
    try {
      errors.delete(kind);
      return await isReadable(api, slug, kind);
    } catch (error) {
      errors.set(kind, String(error));
      return false;
    }
  };
  await until(
    `everything that ${slug} sent`,
    async () => {
      const found = await Promise.all(missing.map(look));
      missing = missing.filter((_, index) => !found[index]);
      return missing.length === 0;
    },
    { timeoutMs: READABLE_WITHIN_MS, everyMs: 500 },
  ).catch(() => {});
  for (const [kind, error] of errors) console.error(`${kind}: ${error}`);
  return missing;
}

async function isReadable(client: ApiClient, slug: string, kind: Kind): Promise<boolean> {
  const project = `/api/0/projects/main/${slug}`;
  if (kind === 'errors' || kind === 'messages' || kind === 'attachments') {
    const events = await client.list<{ eventID: string; title: string }>(`${project}/events/`);
    const isMessage = (title: string) => title.startsWith('A message of');
    if (kind === 'errors') return events.some(({ title }) => !isMessage(title));
    if (kind === 'messages') return events.some(({ title }) => isMessage(title));
    for (const { eventID } of events) {
      const files = await client.get<{ name: string; size: number }[]>(
        `${project}/events/${eventID}/attachments/`,
      );
      if (files.some(({ name, size }) => name === 'notes.txt' && size > 0)) return true;
    }
    return false;
  }
  return (await client.get<unknown[]>(`${project}/${LISTS[kind]}/`)).length > 0;
}
