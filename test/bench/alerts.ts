// `node test/bench/alerts.ts`: how many events become readable, as fast as it goes, without a rule of alerts and with rules
// that look at each event: in turn, on one server. ERRATA_BENCH_SECONDS and ERRATA_BENCH_ROUNDS say how long.
import { setTimeout as sleep } from 'node:timers/promises';
import { ALERT_SCOPES, addRule, openDestination, removeRules } from '../harness/alert-destinations.ts';
import { createApiClient } from '../harness/api-client.ts';
import { parseDsn } from '../harness/envelope.ts';
import { startErrata } from '../harness/start-errata.ts';
import { until } from '../harness/until.ts';
import { GeneratorProcess, percentile } from './generator-process.ts';
import { readCpu } from './measure-processes.ts';
import { countDigested, startPace } from './pace.ts';

const SECONDS = Number(process.env.ERRATA_BENCH_SECONDS ?? 15);
const ROUNDS = Number(process.env.ERRATA_BENCH_ROUNDS ?? 3);
const EVENT_BYTES = 5_000;
const BACKLOG_EVENTS = 6_000;
/** Digest looks at rules and settings every two seconds. */
const LOADED_MS = 3_000;
const SLUG = 'bench';

const EVERY = [{ id: 'sentry.rules.conditions.every_event.EveryEventCondition' }];
const FILTERS = 'sentry.rules.filters';
const ATTRIBUTE = `${FILTERS}.event_attribute.EventAttributeFilter`;
/** The last of them never fits, after all the others had to be looked at. */
const READING = [
  { id: `${FILTERS}.level.LevelFilter`, match: 'gte', level: '40' },
  { id: ATTRIBUTE, attribute: 'exception.type', match: 'nc', value: 'nowhere' },
  { id: ATTRIBUTE, attribute: 'stacktrace.filename', match: 'nc', value: 'nowhere' },
  { id: ATTRIBUTE, attribute: 'stacktrace.code', match: 'nc', value: 'nowhere' },
  { id: `${FILTERS}.tagged_event.TaggedEventFilter`, key: 'environment', match: 'eq', value: 'nowhere' },
];
const COUNTING = 'sentry.rules.conditions.event_frequency.EventUniqueUserFrequencyCondition';
/** Rules of one kind: ten that read each event, one that hears of each event, one that counts what it hears of. */
const KINDS: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> = {
  none: [],
  'ten that read each event': Array.from({ length: 10 }, () => ({ conditions: EVERY, filters: READING })),
  'one that fires for each issue': [{ conditions: EVERY, frequency: 5 }],
  'one that counts users of 30 days': [
    { conditions: [{ id: COUNTING, value: 1_000, interval: '30d' }], frequency: 5 },
  ],
};

const server = await startErrata({
  env: { ERRATA_LOG_LEVEL: 'warn', ERRATA_ALLOW_INSIDE_ADDRESSES: '127.0.0.1' },
});
const api = createApiClient(server.url, await server.token(ALERT_SCOPES));
const dsn = parseDsn(await server.project(SLUG));
const quiet = { spikeProtection: { isEnabled: false, bodiesPerHour: 1_000 } };
const answer = await api.request('PUT', `/api/0/projects/main/${SLUG}/rate-limits/`, quiet);
if (answer.status !== 200) throw new Error(`Spike protection stays on: ${JSON.stringify(answer.body)}`);
const hook = await openDestination(api, 'webhook');
const generator = await GeneratorProcess.open();
const measured = new Map<string, Measured[]>();
await measure('to warm up');
for (let round = 0; round < ROUNDS; round++) {
  for (const [kind, rules] of Object.entries(KINDS)) {
    await removeRules(api, SLUG);
    for (const rule of rules) await addRule(api, SLUG, [hook.id], rule);
    await sleep(LOADED_MS);
    measured.set(kind, [...(measured.get(kind) ?? []), await measure(kind)]);
  }
}
const totals = [...measured].map(([kind, rounds]) => ({
  kind,
  rate: percentile(
    rounds.map(({ perSecond }) => perSecond),
    0.5,
  ),
  // Of all rounds: it says more than the rate on a machine that has other things to do.
  cpuMicros:
    (sum(rounds.map(({ cpuSeconds }) => cpuSeconds)) / sum(rounds.map(({ events }) => events))) * 1e6,
}));
const [without] = totals;
for (const { kind, rate, cpuMicros } of totals) {
  const rateRatio = (rate / (without?.rate ?? 1)).toFixed(2);
  const cpuRatio = (cpuMicros / (without?.cpuMicros ?? 1)).toFixed(2);
  print(
    `${kind}: ${rate.toFixed(0)}/s (${rateRatio}), CPU ${cpuMicros.toFixed(0)} µs per event (${cpuRatio})`,
  );
}
print(`${hook.service.received.length} messages`);
generator.close();
await hook.service.close();
await server[Symbol.asyncDispose]();

type Measured = { perSecond: number; events: number; cpuSeconds: number };

/** Events that digest finishes, and what all processes of the server need for them. */
async function measure(kind: string): Promise<Measured> {
  const pace = startPace({ server, generator }, dsn, EVENT_BYTES, null, BACKLOG_EVENTS);
  await until('the first events', () => pace.digested() > 1_000, { timeoutMs: 60_000 });
  const cpuBefore = await readCpu(server);
  const from = { at: performance.now(), events: await countDigested(server) };
  await sleep(SECONDS * 1_000);
  const to = { at: performance.now(), events: await countDigested(server) };
  const cpuAfter = await readCpu(server);
  await pace.stop();
  const events = to.events - from.events;
  const rate = events / ((to.at - from.at) / 1_000);
  const cpu = Object.entries(cpuAfter).map(([part, seconds]) => ({
    part,
    seconds: seconds - (cpuBefore[part] ?? 0),
  }));
  const perEvent = cpu.map(({ part, seconds }) => `${part} ${Math.round((seconds / events) * 1e6)}`);
  print(`${kind}: ${rate.toFixed(0)}/s; CPU, µs per event: ${perEvent.join(', ')}`);
  return { perSecond: rate, events, cpuSeconds: sum(cpu.map(({ seconds }) => seconds)) };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
