// npm run conformance:snippets: takes the steps of the setup guides as they are, with the newest SDKs, in folders outside of the
// repository, and looks whether the test error arrives at a real server. Ends with 1 when one does not.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { findGuide } from '#app/[org]/projects/sdk-snippets/find-guide.ts';
import { PLATFORMS } from '#domain/platforms.ts';
import { type ApiClient, type ApiEvent, createApiClient } from '../harness/api-client.ts';
import { startErrata } from '../harness/start-errata.ts';
import { until } from '../harness/until.ts';
import { SNIPPET_APPS } from './snippet-apps.ts';
import { hasProgram, takeSteps } from './take-steps.ts';
import { Unavailable } from './unavailable.ts';

const ARRIVES_WITHIN_MS = 20_000;

const { values } = parseArgs({ options: { only: { type: 'string' } } });
const parent = mkdtempSync(path.join(tmpdir(), 'errata-snippets-'));
await using server = await startErrata();
const api = createApiClient(server.url, await server.token());
const rows: string[] = [];
let failures = 0;

try {
  for (const { id, name } of PLATFORMS) {
    if (values.only && !new RegExp(values.only).test(id)) continue;
    const result = await runGuide(id);
    console.error(`${id}: ${result}`);
    rows.push(`| ${name} | ${result} |`);
  }
} finally {
  rmSync(parent, { recursive: true, force: true, maxRetries: 5, retryDelay: 500 });
}
console.log(`\n| Platform | Result |\n| --- | --- |\n${rows.join('\n')}`);
process.exitCode = failures > 0 ? 1 : 0;

async function runGuide(id: string): Promise<string> {
  const app = SNIPPET_APPS[id];
  const guide = findGuide(id);
  if (!app) {
    const commands = guide.steps(server.url).filter(({ file, into }) => !file && !into);
    const programs = commands.map(({ text }) => /^[a-z]+(?= )/.exec(text)?.[0] ?? '');
    const missing = programs.find((program) => program !== '' && !hasProgram(program));
    return `not run: ${missing ? `there is no ${missing} on this machine` : 'it needs an app, a device or a service that this program does not make'}`;
  }
  const dsn = await server.project(id);
  try {
    await takeSteps(path.join(parent, id), guide.steps(dsn), app);
    const event = await findEvent(api, id);
    return `arrived: ${event.title} (${event.sdk ? `${event.sdk.name} ${event.sdk.version}` : 'no SDK'})`;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof Unavailable) return `not run: ${reason}`;
    failures += 1;
    return `**failed**: ${reason}`;
  }
}

async function findEvent(client: ApiClient, slug: string): Promise<ApiEvent> {
  const events = `/api/0/projects/main/${slug}/events/`;
  const found = await until(
    'the test error to arrive',
    async () => (await client.list<{ eventID: string }>(events))[0] ?? null,
    { timeoutMs: ARRIVES_WITHIN_MS, everyMs: 500 },
  );
  return client.get<ApiEvent>(`${events}${found.eventID}/`);
}
