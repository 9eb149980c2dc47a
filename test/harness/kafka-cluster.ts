import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Admin } from '@platformatic/kafka';
import { findFreePort } from '#storage/embedded/free-port.ts';
import { until } from './until.ts';

const VERSION = '4.3.1';
const LIBS = path.join(tmpdir(), `errata-kafka-${VERSION}`);
/** What stands in every broker's settings. */
const HEAP = '-Xmx320m';
const START_MS_MAX = 90_000;

const POM = `<project><modelVersion>4.0.0</modelVersion><groupId>e</groupId><artifactId>e</artifactId><version>1</version>
<dependencies>${[
  ['org.apache.kafka', 'kafka_2.13', VERSION],
  ['org.apache.kafka', 'kafka-tools', VERSION],
  ['org.slf4j', 'slf4j-simple', '1.7.36'],
]
  .map(
    ([group, artifact, version]) =>
      `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`,
  )
  .join('')}</dependencies></project>`;

/** Why the tests of Kafka are skipped; null when brokers can be started. Fetches Kafka when there is Java and Maven. */
export function kafkaMissing(): string | null {
  if (hasLibs()) return null;
  try {
    execFileSync('java', ['-version'], { stdio: 'ignore' });
    execFileSync('mvn', ['-version'], { stdio: 'ignore' });
  } catch {
    return 'no Kafka: Java 17 and Maven are needed';
  }
  mkdirSync(LIBS, { recursive: true });
  const pom = path.join(LIBS, 'pom.xml');
  writeFileSync(pom, POM);
  try {
    execFileSync(
      'mvn',
      ['-q', '-B', '-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${path.join(LIBS, 'libs')}`],
      { stdio: 'ignore', timeout: 10 * 60_000 },
    );
  } catch {
    return 'no Kafka: Maven could not fetch it';
  }
  return hasLibs() ? null : 'no Kafka: Maven fetched something else';
}

const hasLibs = (): boolean =>
  existsSync(path.join(LIBS, 'libs')) &&
  readdirSync(path.join(LIBS, 'libs')).some((name) => name.startsWith('kafka_2.13'));

/** A second listener of each broker, with TLS, where one user signs in by any mechanism. */
export type SecureListener = {
  /** A private key and its certificate, both in PEM. */
  keyFile: string;
  /** That the certificate is for. */
  host: string;
  username: string;
  password: string;
};

export type KafkaCluster = {
  /** `host:port` of every broker, by number from 0. */
  brokers: readonly string[];
  /** The same with TLS; empty without. */
  secureBrokers: readonly string[];
  /** SIGKILL. */
  kill(broker: number): Promise<void>;
  /** On the same data and port; resolves when it answers. */
  start(broker: number): Promise<void>;
  admin(): Admin;
  remove(): Promise<void>;
};

/** Real brokers that are controllers as well, each with data of its own, on loopback. */
export async function startKafkaCluster(
  count: 1 | 3,
  secure: SecureListener | null = null,
): Promise<KafkaCluster> {
  const folder = mkdtempSync(path.join(tmpdir(), 'errata-brokers-'));
  const nodes: {
    port: number;
    securePort: number;
    controller: number;
    settings: string;
    child: ChildProcess | null;
  }[] = [];
  for (let broker = 0; broker < count; broker++) {
    nodes.push({
      port: await findFreePort(),
      securePort: await findFreePort(),
      controller: await findFreePort(),
      settings: path.join(folder, `${broker}.properties`),
      child: null,
    });
  }
  const voters = nodes.map(({ controller }, id) => `${id + 1}@127.0.0.1:${controller}`).join(',');
  const copies = Math.min(3, count);
  for (const [id, { port, securePort, controller, settings }] of nodes.entries()) {
    const plain = `PLAINTEXT://127.0.0.1:${port}`;
    const secured = secure ? `,SECURE://${secure.host}:${securePort}` : '';
    writeFileSync(
      settings,
      Object.entries({
        'process.roles': 'broker,controller',
        'node.id': id + 1,
        'controller.quorum.voters': voters,
        listeners: `${plain},CONTROLLER://127.0.0.1:${controller}${secured}`,
        'advertised.listeners': `${plain}${secured}`,
        'controller.listener.names': 'CONTROLLER',
        'listener.security.protocol.map': 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SECURE:SASL_SSL',
        ...(secure && secureSettings(secure)),
        'log.dirs': path.join(folder, `data-${id}`),
        'offsets.topic.replication.factor': copies,
        'transaction.state.log.replication.factor': copies,
        'transaction.state.log.min.isr': 1,
        'default.replication.factor': copies,
        'auto.create.topics.enable': false,
        'broker.session.timeout.ms': 6_000,
        'log.retention.check.interval.ms': 1_000,
        'log.segment.delete.delay.ms': 100,
      })
        .map(([name, value]) => `${name}=${value}`)
        .join('\n'),
    );
    const users = SCRAM.flatMap((mechanism) =>
      secure ? ['--add-scram', `${mechanism}=[name=${secure.username},password=${secure.password}]`] : [],
    );
    java(['kafka.tools.StorageTool', 'format', '-t', 'ZXJyYXRhLWVycmF0YS10dA', '-c', settings, ...users]);
  }
  const start = async (broker: number) => {
    const node = nodes[broker];
    if (!node) throw new Error(`There is no broker ${broker}`);
    node.child = spawn('java', [...JAVA, 'kafka.Kafka', node.settings], { stdio: 'ignore' });
    const { port } = node;
    await until(`broker ${broker} to answer`, () => canConnect(`127.0.0.1:${port}`), {
      timeoutMs: START_MS_MAX,
      everyMs: 500,
    });
  };
  await Promise.all(nodes.map((_, broker) => start(broker)));
  const brokers = nodes.map(({ port }) => `127.0.0.1:${port}`);
  const kill = async (broker: number) => {
    const child = nodes[broker]?.child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  };
  return {
    brokers,
    secureBrokers: secure ? nodes.map(({ securePort }) => `${secure.host}:${securePort}`) : [],
    kill,
    start,
    admin: () => new Admin({ clientId: 'errata-test', bootstrapBrokers: brokers }),
    async remove() {
      await Promise.all(nodes.map((_, broker) => kill(broker)));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const SCRAM = ['SCRAM-SHA-256', 'SCRAM-SHA-512'] as const;

const secureSettings = ({ keyFile, username, password }: SecureListener): Record<string, string> => ({
  'sasl.enabled.mechanisms': ['PLAIN', ...SCRAM].join(','),
  'listener.name.secure.plain.sasl.jaas.config': `org.apache.kafka.common.security.plain.PlainLoginModule required user_${username}="${password}";`,
  ...Object.fromEntries(
    SCRAM.map((mechanism) => [
      `listener.name.secure.${mechanism.toLowerCase()}.sasl.jaas.config`,
      'org.apache.kafka.common.security.scram.ScramLoginModule required;',
    ]),
  ),
  'ssl.keystore.type': 'PEM',
  'ssl.keystore.location': keyFile,
});

const JAVA = [HEAP, '-XX:+UseSerialGC', '-cp', path.join(LIBS, 'libs/*')] as const;

const java = (args: readonly string[]): void => {
  execFileSync('java', [...JAVA, ...args], { stdio: 'ignore' });
};

async function canConnect(address: string): Promise<boolean> {
  const admin = new Admin({
    clientId: 'errata-test',
    bootstrapBrokers: [address],
    retries: 0,
    connectTimeout: 1_000,
    requestTimeout: 2_000,
  });
  try {
    await admin.metadata({ topics: [] });
    return true;
  } catch {
    return false;
  } finally {
    await admin.close().catch(() => {});
  }
}
