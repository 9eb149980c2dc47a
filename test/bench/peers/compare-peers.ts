// `npm run bench -- --peers`: the same events, from the same generator, to Errata and to its peers, one after another.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { listProcessTree, readCpuSeconds, readPssBytes } from '../../harness/processes.ts';
import { until } from '../../harness/until.ts';
import { GeneratorProcess } from '../generator-process.ts';
import { load } from '../pace.ts';
import { bugsink } from './bugsink.ts';
import { errata } from './errata.ts';
import type { Peer, RunningPeer } from './peer.ts';
import { urgentry } from './urgentry.ts';

const PEERS: readonly Peer[] = [errata, urgentry, bugsink];
const SECONDS = Number(process.env.ERRATA_BENCH_SECONDS ?? 30);
const EVENT_BYTES = 5_000;
/** How long what was taken may need until it is counted. */
const COUNTED_MS_MAX = 15 * 60_000;
const COUNT_INTERVAL_MS = 250;

type Row = {
  name: string;
  /** Answered 200, in a second. */
  accepted: number;
  refused: number;
  /** From the first event to the last that is counted. */
  counted: number;
  /** Of all its processes. */
  cpuMicrosPerEvent: number;
  idleMb: number;
  afterMb: number;
};

/** Prints one table, and why a peer is not in it. */
export async function comparePeers(print: (line: string) => void): Promise<void> {
  const rows: Row[] = [];
  for (const peer of PEERS) {
    const folder = mkdtempSync(path.join(tmpdir(), `errata-peer-${peer.name.toLowerCase()}-`));
    try {
      const running = await peer.start(folder);
      if (typeof running === 'string') print(`${peer.name} is left out: ${running}`);
      else rows.push(await measure(peer.name, running));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  print('| | accepted/s | refused | counted/s | CPU, µs per event | idle, MB | after, MB |');
  print('|---|---|---|---|---|---|---|');
  for (const { name, accepted, refused, counted, cpuMicrosPerEvent, idleMb, afterMb } of rows) {
    const figures = [accepted, refused, counted, cpuMicrosPerEvent, idleMb, afterMb].map(Math.round);
    print(`| ${name} | ${figures.join(' | ')} |`);
  }
}

async function measure(name: string, peer: RunningPeer): Promise<Row> {
  const generator = await GeneratorProcess.open();
  try {
    await sleep(5_000);
    const idleMb = await readMb(peer);
    const cpuBefore = await readCpu(peer);
    const startedAt = performance.now();
    generator.start(load(peer.dsn, peer.port, EVENT_BYTES, null));
    await sleep(SECONDS * 1_000);
    const { answered, refused, perSecond } = await generator.stop();
    await until(`${answered} events of ${name}`, async () => (await peer.countEvents()) >= answered, {
      timeoutMs: COUNTED_MS_MAX,
      everyMs: COUNT_INTERVAL_MS,
    });
    const seconds = (performance.now() - startedAt) / 1_000;
    const cpuSeconds = (await readCpu(peer)) - cpuBefore;
    return {
      name,
      accepted: perSecond,
      refused,
      counted: answered / seconds,
      cpuMicrosPerEvent: (cpuSeconds / answered) * 1e6,
      idleMb,
      afterMb: await readMb(peer),
    };
  } finally {
    generator.close();
    await peer.stop();
  }
}

const treeOf = async (peer: RunningPeer): Promise<number[]> => listProcessTree(await peer.pids());

const readMb = async (peer: RunningPeer): Promise<number> =>
  (await treeOf(peer)).reduce((sum, pid) => sum + readPssBytes(pid), 0) / 1e6;

const readCpu = async (peer: RunningPeer): Promise<number> =>
  (await treeOf(peer)).reduce((sum, pid) => sum + readCpuSeconds(pid), 0);
