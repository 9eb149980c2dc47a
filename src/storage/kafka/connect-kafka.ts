import { setTimeout as delay } from 'node:timers/promises';
import { Admin, type BaseOptions, ConfigResourceTypes, findErrorBy } from '@platformatic/kafka';
import { messageOf, unavailable, undecided } from '#lib/errors.ts';
import type { KafkaAddress, KafkaAuth } from '#lib/kafka-address.ts';

export type KafkaSettings = KafkaAddress & KafkaAuth;

export type KafkaTopic = {
  name: string;
  /** Another one when a topic of the same name is made anew. */
  id: string;
  partitions: number;
  /** A batch of records with what is around them. */
  batchBytesMax: number;
  /** What keeps 200 from meaning that a record outlives a machine; empty when it does. */
  weaknesses: readonly string[];
};

const CONNECT_MS_MAX = 5_000;
const REQUEST_MS_MAX = 10_000;
const CLIENT = 'errata';
/** Tries until a topic that was just made is known to the brokers. */
const TOPIC_TRIES_MAX = 20;
const TOPIC_RETRY_MS = 250;

/** Records of 4 MiB and what is around them, of a topic that Errata makes. */
const BATCH_BYTES = 8 * 1024 * 1024;
const KEPT_MS = 7 * 24 * 3_600_000;
/** Kafka's own, where the topic does not say. */
const BATCH_BYTES_DEFAULT = 1_048_588;

/** What every client of the cluster is opened with. */
export function clientOptions({
  brokers,
  hasTls,
  authority,
  mechanism,
  username,
  password,
}: KafkaSettings): BaseOptions {
  return {
    clientId: CLIENT,
    bootstrapBrokers: [...brokers],
    connectTimeout: CONNECT_MS_MAX,
    requestTimeout: REQUEST_MS_MAX,
    timeout: REQUEST_MS_MAX,
    autocreateTopics: false,
    ...(hasTls && { tls: authority === null ? {} : { ca: authority }, tlsServerName: true }),
    ...(mechanism && { sasl: { mechanism, username: username ?? '', password: password ?? '' } }),
  };
}

/**
 * The topic of the settings, which is made when it is not there. Throws ErrataError 'unavailable' when no broker answers or
 * the cluster refuses.
 */
export async function openTopic(settings: KafkaSettings): Promise<KafkaTopic> {
  const admin = new Admin({ ...clientOptions(settings), retries: 2, retryDelay: TOPIC_RETRY_MS });
  try {
    return await describeTopic(admin, settings);
  } catch (error) {
    throw kafkaUnavailable(settings, 'be reached', error);
  } finally {
    await admin.close().catch(() => {});
  }
}

async function describeTopic(admin: Admin, settings: KafkaSettings): Promise<KafkaTopic> {
  const { topic: name } = settings;
  let isMade = false;
  for (let attempt = 1; ; attempt++) {
    try {
      const metadata = await admin.metadata({ topics: [name], forceUpdate: true });
      const topic = metadata.topics.get(name);
      if (!topic || topic.partitionsCount === 0) throw new Error(`The topic ${name} has no partitions yet`);
      const configs = await readConfigs(admin, name);
      const replicas = Math.min(...topic.partitions.map((partition) => partition.replicas.length));
      return {
        name,
        id: topic.id,
        partitions: topic.partitionsCount,
        batchBytesMax: Number(configs.get('max.message.bytes') ?? BATCH_BYTES_DEFAULT),
        weaknesses: findWeaknesses(replicas, configs),
      };
    } catch (error) {
      if (attempt >= TOPIC_TRIES_MAX) throw error;
      // The library's own error, or the broker's.
      const isMissing =
        /unknown topic/i.test(messageOf(error)) ||
        findErrorBy(error as Error, 'apiId', 'UNKNOWN_TOPIC_OR_PARTITION') !== null;
      if (!isMissing && !isMade) throw error;
      if (!isMade) await makeTopic(admin, settings);
      isMade = true;
      await delay(TOPIC_RETRY_MS);
    }
  }
}

async function makeTopic(admin: Admin, { topic, partitions, replicas }: KafkaSettings): Promise<void> {
  try {
    await admin.createTopics({
      topics: [topic],
      partitions,
      replicas: replicas ?? -1,
      configs: [
        { name: 'max.message.bytes', value: String(BATCH_BYTES) },
        { name: 'retention.ms', value: String(KEPT_MS) },
        ...(replicas !== null && replicas >= 3 ? [{ name: 'min.insync.replicas', value: '2' }] : []),
      ],
    });
  } catch (error) {
    // Another process was first.
    if (!findErrorBy(error as Error, 'apiId', 'TOPIC_ALREADY_EXISTS')) throw error;
  }
}

/** Empty when this user may not read them. */
async function readConfigs(admin: Admin, topic: string): Promise<ReadonlyMap<string, string>> {
  try {
    const [described] = await admin.describeConfigs({
      resources: [
        {
          resourceType: ConfigResourceTypes.TOPIC,
          resourceName: topic,
          configurationKeys: ['max.message.bytes', 'min.insync.replicas', 'flush.messages'],
        },
      ],
    });
    return new Map((described?.configs ?? []).map(({ name, value }) => [name, value ?? '']));
  } catch {
    return new Map();
  }
}

function findWeaknesses(replicas: number, configs: ReadonlyMap<string, string>): string[] {
  if (configs.get('flush.messages') === '1') return [];
  const insync = Number(configs.get('min.insync.replicas') ?? 1);
  if (replicas < 2)
    return ['one broker has each record, and not yet on its disk: use 3 replicas, or flush.messages=1'];
  return insync < 2 ? ['min.insync.replicas is 1: one broker alone may acknowledge, set it to 2'] : [];
}

export const kafkaUnavailable = ({ topic }: { topic: string }, what: string, error: unknown): Error =>
  unavailable(describeFailure(topic, what, error), error);

/** Of records that were sent: a broker whose answer is missing may have them. */
export const kafkaUndecided = ({ topic }: { topic: string }, error: unknown): Error =>
  undecided(describeFailure(topic, 'take records', error), error);

function describeFailure(topic: string, what: string, error: unknown): string {
  const reason = reasonOf(error);
  const [, nextStep] = NEXT_STEPS.find(([pattern]) => pattern.test(reason)) ?? [];
  return `The Kafka topic ${topic} could not ${what} (${reason.replace(HINT_FOR_DEVELOPERS, '')}): ${nextStep ?? 'check ERRATA_SPOOL_URL and its brokers'}`;
}

const NEXT_STEPS: readonly (readonly [reason: RegExp, nextStep: string])[] = [
  [/SASL/, 'check ERRATA_KAFKA_USERNAME, ERRATA_KAFKA_PASSWORD, and sasl in ERRATA_SPOOL_URL'],
  [/certificate|altnames/i, 'check ERRATA_KAFKA_CA_FILE, and the host names in ERRATA_SPOOL_URL'],
  [/connection closed/i, 'check the brokers of ERRATA_SPOOL_URL, and whether they want tls=on and sasl'],
];
/** Of Node, behind what is wrong. */
const HINT_FOR_DEVELOPERS = /; if the root CA .*/;

/** Errors of the library are lists of lists: the innermost says what went wrong. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors.at(-1));
  const { apiId, cause } = error as { apiId?: string; cause?: unknown };
  if (apiId !== undefined) return apiId;
  return cause instanceof Error ? reasonOf(cause) : messageOf(error);
}
