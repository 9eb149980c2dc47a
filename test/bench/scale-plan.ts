/** Measured on two cores with events of 5 KB: docs/performance.md and docs/scale.md say how. */
export const MEASURED = {
  /** Microseconds of processor for one event; the edge and digest with the client of Kafka. */
  edge: 78 + 11,
  digest: 333 + 8,
  clickhouse: 239,
  postgres: 40,
  /** Of three replicas together. */
  brokers: 65,
  /** Events a second of one digest with two threads, whatever else its machine has. */
  digestPerSecondMax: 5_900,
  /** Bytes of one event as it arrives, in the log (lz4) and on the disk of ClickHouse. */
  arrivingBytes: 5_000,
  logBytes: 620,
  storedBytes: 490,
} as const;

/** Chosen, not measured. */
export const ASSUMED = {
  secondsOfMonth: 30 * 86_400,
  /** The busiest hour of a day, and half an hour of it in which something breaks, over the mean. */
  dailyPeak: 2,
  burst: 5,
  burstMinutes: 30,
  /** Real events are less alike than those of the bench. */
  storedFactor: 1.5,
  retentionMonths: 3,
  logDays: 7,
  logReplicas: 3,
  clickhouseReplicas: 2,
  /** Of the processors of a machine, so that one can fail; ClickHouse answers questions with the rest. */
  load: 0.6,
  clickhouseLoad: 0.5,
  digestCores: 4,
  edgeCores: 2,
  brokerCores: 8,
  shardCores: 8,
  partitionsPerDigest: 6,
  /** A month: a core and a terabyte of one's own machines in euros, of a cloud in dollars. */
  own: { core: 8, terabyte: 20 },
  cloud: { core: 30, terabyte: 80 },
} as const;

export type ScalePlan = {
  eventsPerMonth: number;
  meanPerSecond: number;
  peakPerSecond: number;
  edges: number;
  brokers: number;
  partitions: number;
  digests: number;
  /** In minutes: how late the latest event of the day is stored with these digests, and with half of them. */
  lateMinutes: number;
  lateMinutesWithHalf: number;
  shards: number;
  postgresCores: number;
  /** With its replicas. */
  storedTerabytes: number;
  logTerabytes: number;
  /** At the peak, from outside. */
  gigabitsPerSecond: number;
  cores: number;
  ownEuros: number;
  cloudDollars: number;
};

const MICRO = 1e-6;
const TERA = 1e12;
const MINUTES_OF_DAY = 1_440;

/** What so many events a month take, in parts of the sizes of ASSUMED. */
export function planScale(eventsPerMonth: number): ScalePlan {
  const meanPerSecond = eventsPerMonth / ASSUMED.secondsOfMonth;
  const peakPerSecond = meanPerSecond * ASSUMED.burst;
  const coresAt = (microseconds: number, perSecond = peakPerSecond) => perSecond * microseconds * MICRO;
  const many = (cores: number, coresEach: number, load: number) => Math.ceil(cores / (coresEach * load));
  const edges = Math.max(2, many(coresAt(MEASURED.edge), ASSUMED.edgeCores, ASSUMED.load));
  const brokers = Math.max(
    ASSUMED.logReplicas,
    many(coresAt(MEASURED.brokers), ASSUMED.brokerCores, ASSUMED.load),
  );
  const digests = Math.max(2, Math.ceil(peakPerSecond / MEASURED.digestPerSecondMax));
  const shards = many(coresAt(MEASURED.clickhouse), ASSUMED.shardCores, ASSUMED.clickhouseLoad);
  const postgresCores = Math.max(2, Math.ceil(coresAt(MEASURED.postgres) / ASSUMED.load));
  const storedBytes = eventsPerMonth * ASSUMED.retentionMonths * MEASURED.storedBytes * ASSUMED.storedFactor;
  const storedTerabytes = (storedBytes * ASSUMED.clickhouseReplicas) / TERA;
  const logEvents = meanPerSecond * 86_400 * ASSUMED.logDays;
  const logTerabytes = (logEvents * MEASURED.logBytes * ASSUMED.logReplicas) / TERA;
  const cores =
    edges * ASSUMED.edgeCores +
    brokers * ASSUMED.brokerCores +
    digests * ASSUMED.digestCores +
    shards * ASSUMED.shardCores * ASSUMED.clickhouseReplicas +
    postgresCores * 2 +
    // Two of web and jobs each.
    8;
  const costOf = ({ core, terabyte }: { core: number; terabyte: number }) =>
    cores * core + (storedTerabytes + logTerabytes) * terabyte;
  return {
    eventsPerMonth,
    meanPerSecond,
    peakPerSecond,
    edges,
    brokers,
    partitions: Math.ceil((digests * ASSUMED.partitionsPerDigest) / 12) * 12,
    digests,
    lateMinutes: simulateDay(meanPerSecond, digests * MEASURED.digestPerSecondMax),
    lateMinutesWithHalf: simulateDay(meanPerSecond, Math.ceil(digests / 2) * MEASURED.digestPerSecondMax),
    shards,
    postgresCores,
    storedTerabytes,
    logTerabytes,
    gigabitsPerSecond: (peakPerSecond * MEASURED.arrivingBytes * 8) / 1e9,
    cores,
    ownEuros: costOf(ASSUMED.own),
    cloudDollars: costOf(ASSUMED.cloud),
  };
}

/**
 * A day minute by minute: a wave around the mean, with a burst at its height. Answers for how many minutes the record that
 * waits longest waits.
 */
export function simulateDay(meanPerSecond: number, storedPerSecond: number): number {
  const burstAt = MINUTES_OF_DAY / 4;
  let waiting = 0;
  let longestMinutes = 0;
  for (let minute = 0; minute < MINUTES_OF_DAY; minute++) {
    const isBurst = minute >= burstAt && minute < burstAt + ASSUMED.burstMinutes;
    const wave = 1 + (ASSUMED.dailyPeak - 1) * Math.sin((2 * Math.PI * minute) / MINUTES_OF_DAY);
    const arriving = meanPerSecond * (isBurst ? ASSUMED.burst : wave);
    waiting = Math.max(0, waiting + (arriving - storedPerSecond) * 60);
    longestMinutes = Math.max(longestMinutes, waiting / (storedPerSecond * 60));
  }
  return longestMinutes;
}
