import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type ClickhouseShards, startClickhouseShards } from './clickhouse-shards.ts';
import { type KafkaCluster, kafkaMissing, startKafkaCluster } from './kafka-cluster.ts';
import { startPostgresServer, type TestPostgres } from './postgres-servers.ts';
import {
  installS3Server,
  S3_BUCKET,
  S3_CREDENTIALS,
  type S3Server,
  s3Missing,
  startS3Server,
} from './s3-server.ts';
import { type ErrataServer, type Role, startErrata } from './start-errata.ts';

const BROKERS = 3;
const PARTITIONS = 6;
/** How long a store that was killed is away; processes of Errata are started again by their supervisor. */
const AWAY_MS = { min: 1_000, max: 6_000 };
/** How long a digest stands still: others take its partitions over after 10 seconds. */
const STILL_MS = 14_000;

/** Two machines with every role, and a third that only digests. */
const MACHINES: readonly { roles: string; killed: readonly Role[] }[] = [
  { roles: 'edge,digest,web,jobs', killed: ['edge', 'digest', 'web', 'jobs'] },
  { roles: 'edge,digest,web,jobs', killed: ['edge', 'digest', 'web', 'jobs'] },
  { roles: 'digest', killed: ['digest'] },
];

/** What can be killed, and comes back by itself or, if nobody watches over it, after `awayMs`. */
export type Victim = { name: string; kill(awayMs: number): Promise<void> };

export type LargeInstallation = {
  /** Those of the first two take events and show pages. */
  machines: readonly ErrataServer[];
  victims: readonly Victim[];
  awayMs(random: () => number): number;
  remove(): Promise<void>;
};

/** Why there is none on this machine; null when it can be started. */
export function largeInstallationMissing(): string | null {
  installS3Server();
  return s3Missing() ?? kafkaMissing();
}

/** Three brokers, a bucket, two ClickHouse shards, PostgreSQL, and three machines of Errata over them. */
export async function startLargeInstallation(
  env: Readonly<Record<string, string>>,
): Promise<LargeInstallation> {
  const [kafka, s3, shards, postgres] = await Promise.all([
    startKafkaCluster(BROKERS),
    startS3Server(),
    startClickhouseShards(),
    startPostgresServer(),
  ]);
  const settings = settingsOf({ kafka, s3, shards, postgres });
  const machines: ErrataServer[] = [];
  for (const { roles } of MACHINES) {
    machines.push(await startErrata({ roles, admin: machines.length === 0, env: { ...settings, ...env } }));
  }
  return {
    machines,
    victims: [
      ...machines.flatMap((machine, index) =>
        (MACHINES[index]?.killed ?? []).map((role) => processOf(machine, role, `${role} ${index + 1}`)),
      ),
      ...machines.map((machine, index) => standingStill(machine, `digest ${index + 1} (still)`)),
      ...kafka.brokers.map((_, broker) =>
        store(
          `broker ${broker + 1}`,
          () => kafka.kill(broker),
          () => kafka.start(broker),
        ),
      ),
      ...shards.hosts.map((host, index) =>
        store(
          `shard ${index + 1}`,
          () => shards.kill(host),
          () => shards.start(host),
        ),
      ),
      store('bucket', s3.stop, s3.start),
      store('PostgreSQL', postgres.kill, postgres.start),
    ],
    awayMs: (random) => AWAY_MS.min + random() * (AWAY_MS.max - AWAY_MS.min),
    async remove() {
      for (const machine of machines) await machine[Symbol.asyncDispose]();
      await Promise.all([kafka.remove(), s3.remove(), shards.remove(), postgres.remove()]);
    },
  };
}

type Stores = { kafka: KafkaCluster; s3: S3Server; shards: ClickhouseShards; postgres: TestPostgres };

function settingsOf({ kafka, s3, shards, postgres }: Stores): Record<string, string> {
  const clickhouse = new URL(shards.url);
  const cluster = clickhouse.searchParams.get('cluster') ?? '';
  clickhouse.search = '';
  return {
    DATABASE_URL: postgres.url,
    CLICKHOUSE_URL: clickhouse.href,
    CLICKHOUSE_CLUSTER: cluster,
    ERRATA_SPOOL_URL: `kafka://${kafka.brokers.join(',')}/errata?partitions=${PARTITIONS}&replicas=${BROKERS}`,
    ERRATA_BLOBS_URL: `s3://${S3_BUCKET}/errata?endpoint=${s3.endpoint}`,
    ERRATA_S3_ACCESS_KEY_ID: S3_CREDENTIALS.accessKeyId,
    ERRATA_S3_SECRET_ACCESS_KEY: S3_CREDENTIALS.secretAccessKey,
    ERRATA_SECRET: randomBytes(32).toString('hex'),
    ERRATA_SELF_REPORTING: 'off',
  };
}

const store = (name: string, kill: () => Promise<void>, start: () => Promise<void>): Victim => ({
  name,
  async kill(awayMs) {
    await kill();
    await delay(awayMs);
    await start();
  },
});

/** A digest that is not dead, and wakes up when others have its partitions. */
const standingStill = (machine: ErrataServer, name: string): Victim => ({
  name,
  async kill() {
    const { digest } = await machine.pids();
    if (!signal(digest, 'SIGSTOP')) return;
    await delay(STILL_MS);
    signal(digest, 'SIGCONT');
  },
});

const processOf = (machine: ErrataServer, role: Role, name: string): Victim => ({
  name,
  async kill() {
    signal((await machine.pids())[role], 'SIGKILL');
  },
});

/** False for a process that is being started again. */
function signal(pid: number | undefined, name: NodeJS.Signals): boolean {
  try {
    // 0 would be the tests themselves.
    return pid !== undefined && pid > 0 && process.kill(pid, name);
  } catch {
    return false;
  }
}
