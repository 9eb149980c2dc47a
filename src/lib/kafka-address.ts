/** A topic of a Kafka cluster, and how it is reached. */
export type KafkaAddress = {
  /** `host:port` of some of its brokers; the others are found through them. */
  brokers: readonly string[];
  topic: string;
  hasTls: boolean;
  /** null: nobody signs in. */
  mechanism: SaslMechanism | null;
  compression: KafkaCompression;
  /** Of the topic, when it has to be made. */
  partitions: number;
  /** Copies of each record, when the topic has to be made; null: as the cluster decides. */
  replicas: number | null;
};

/** Who signs in, and the authority that vouches for the brokers. */
export type KafkaAuth = {
  username: string | null;
  password: string | null;
  /** In PEM; null: those of the system. */
  authority: string | null;
};

const MECHANISMS = {
  plain: 'PLAIN',
  'scram-sha-256': 'SCRAM-SHA-256',
  'scram-sha-512': 'SCRAM-SHA-512',
} as const;
export type SaslMechanism = (typeof MECHANISMS)[keyof typeof MECHANISMS];
const COMPRESSIONS = ['none', 'lz4', 'zstd'] as const;
export type KafkaCompression = (typeof COMPRESSIONS)[number];

const BROKERS_MAX = 100;
const BROKER = /^(?:[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:]+\]):(\d{1,5})$/;
const TOPIC = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,249}$/;
const PARTITIONS = { standard: 12, max: 10_000 } as const;
const REPLICAS_MAX = 9;

/**
 * `kafka://host:9092,host:9092/topic?tls=on&sasl=scram-sha-512&compression=lz4&partitions=12&replicas=3`. Throws Error for
 * everything else, in words for people.
 */
export function parseKafkaAddress(text: string): KafkaAddress {
  const parts = /^kafka:\/\/([^/?#]+)\/([^/?#]+)(?:\?([^#]*))?$/.exec(text);
  if (!parts) throw new Error('not an address of a topic: use kafka://host:9092,host:9092/topic');
  const [, hosts = '', topic = '', query = ''] = parts;
  if (hosts.includes('@'))
    throw new Error(
      'credentials do not belong into the URL: set ERRATA_KAFKA_USERNAME and ERRATA_KAFKA_PASSWORD',
    );
  const brokers = hosts.split(',');
  if (brokers.length > BROKERS_MAX)
    throw new Error(`more than ${BROKERS_MAX} brokers: some of them are enough`);
  for (const broker of brokers) {
    const port = Number(BROKER.exec(broker)?.[1]);
    if (!(port > 0 && port < 65_536)) throw new Error(`"${broker.slice(0, 200)}" is not host:port`);
  }
  if (!TOPIC.test(topic)) throw new Error(`"${topic.slice(0, 200)}" is not the name of a topic`);
  const options = new Map(new URLSearchParams(query));
  const take = (name: string): string | undefined => {
    const value = options.get(name);
    options.delete(name);
    return value;
  };
  const address = {
    brokers,
    topic,
    hasTls: oneOf('tls', take('tls') ?? 'off', ['on', 'off']) === 'on',
    mechanism: readMechanism(take('sasl')),
    compression: oneOf('compression', take('compression') ?? 'lz4', COMPRESSIONS),
    partitions: readCount('partitions', take('partitions'), PARTITIONS.max) ?? PARTITIONS.standard,
    replicas: readCount('replicas', take('replicas'), REPLICAS_MAX),
  };
  const [unknown] = options.keys();
  if (unknown !== undefined)
    throw new Error(`"${unknown}" is unknown: use tls, sasl, compression, partitions, replicas`);
  return address;
}

const readMechanism = (text: string | undefined): SaslMechanism | null =>
  text === undefined
    ? null
    : MECHANISMS[oneOf('sasl', text, Object.keys(MECHANISMS) as (keyof typeof MECHANISMS)[])];

function oneOf<Value extends string>(name: string, text: string, values: readonly Value[]): Value {
  const value = values.find((each) => each === text);
  if (value === undefined) throw new Error(`${name} "${text.slice(0, 100)}" is none of ${values.join(', ')}`);
  return value;
}

function readCount(name: string, text: string | undefined, max: number): number | null {
  if (text === undefined) return null;
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > max)
    throw new Error(`${name} "${text.slice(0, 100)}" is not a number from 1 to ${max}`);
  return count;
}
