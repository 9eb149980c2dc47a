// What open pages cost that follow changes: `ERRATA_BENCH_READERS=500 node bin/run-built.mjs test/bench/live-readers.ts`.
import { Agent, get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { limitConcurrency } from '#lib/limit-concurrency.ts';
import { buildEnvelope, parseDsn, postEnvelope } from '../harness/envelope.ts';
import { cookiesOf, postSignIn } from '../harness/plain-form.ts';
import { makeJavascriptError } from '../harness/sample-event.ts';
import { startErrata } from '../harness/start-errata.ts';
import { readCpu, readMemory } from './measure-processes.ts';

const READERS = Number(process.env.ERRATA_BENCH_READERS ?? 500);
const SECONDS = Number(process.env.ERRATA_BENCH_SECONDS ?? 30);
const EVENTS_PER_SECOND = 20;
/** Pages that open at the same moment. */
const OPENING_MAX = 20;

await using errata = await startErrata();
const cookie = cookiesOf(await postSignIn(errata.url));
const dsn = parseDsn(errata.dsn ?? '');

const before = await readMemory(errata);
let told = 0;
const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
const openOne = limitConcurrency(follow, OPENING_MAX);
const answers = await Promise.all(Array.from({ length: READERS }, () => openOne()));
await sleep(3_000);
const open = await readMemory(errata);
const silent = await measureCpu(() => sleep(SECONDS * 1000));
told = 0;
const busy = await measureCpu(sendEvents);

console.table({
  'memory before, MB': before,
  [`memory with ${READERS} readers, MB`]: open,
  'CPU while nothing changes, % of a core': silent,
  [`CPU while ${EVENTS_PER_SECOND} events/s arrive, % of a core`]: busy,
});
console.log(
  `${told} changes were told in ${SECONDS} s, ${(told / SECONDS / READERS).toFixed(3)} a second to each`,
);
for (const answer of answers) answer.destroy();
agent.destroy();

function follow(): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = get(`${errata.url}/api/live/main`, { agent, headers: { cookie } }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`The feed answered ${answer.statusCode}`));
      answer.setEncoding('utf8').on('data', (text: string) => {
        told += text.split('event: change').length - 1;
      });
      resolve(answer);
    });
    request.on('error', reject);
  });
}

async function sendEvents(): Promise<void> {
  const endsAt = performance.now() + SECONDS * 1000;
  for (let count = 0; performance.now() < endsAt; count++) {
    const event = makeJavascriptError({ issue: count % 50, bytes: 5_000 });
    await postEnvelope(
      dsn,
      buildEnvelope({ event_id: event.event_id }, [{ type: 'event', payload: JSON.stringify(event) }]),
    );
    await sleep(1000 / EVENTS_PER_SECOND);
  }
}

async function measureCpu(work: () => Promise<void>): Promise<Record<string, number>> {
  const from = await readCpu(errata);
  const startedAt = performance.now();
  await work();
  const to = await readCpu(errata);
  const seconds = (performance.now() - startedAt) / 1000;
  return Object.fromEntries(
    Object.entries(to).map(([part, used]) => [
      part,
      Math.round(((used - (from[part] ?? 0)) / seconds) * 1000) / 10,
    ]),
  );
}
