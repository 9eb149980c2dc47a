import { Producer } from '@platformatic/kafka';
import { unavailable } from '#lib/errors.ts';
import { clientOptions, type KafkaSettings, type KafkaTopic, kafkaUnavailable } from './connect-kafka.ts';
import { BATCH_HEAD_BYTES, BLOB_HEADER, RECORD_HEAD_BYTES } from './kafka-record.ts';

/** Records of one request to the broker. */
const GROUP_RECORDS_MAX = 1_000;
/** Bytes of one request to the broker, about, where the topic takes as many. */
const GROUP_BYTES_MAX = 4 * 1024 * 1024;
/** Tries of one request while a broker is away or another becomes the leader. */
const TRIES_MAX = 40;
const RETRY_MS = { first: 50, last: 1_000 } as const;
/** Whoever waits longer is told to come again, whatever becomes of the request. */
const WAIT_MS_MAX = 30_000;

export type KafkaRecordToWrite = { value: Buffer; blobKey: string | null };

type Waiting = {
  record: KafkaRecordToWrite;
  bytes: number;
  since: number;
  resolve: (position: number) => void;
  reject: (error: Error) => void;
};

/**
 * Appends to one partition: all that waits goes in one request, and the next one is sent when it is answered. Two at once
 * of an idempotent producer would all be answered, and one stored. A producer of its own, since one that fails begins
 * anew and would forget what the others have sent.
 */
export class PartitionWriter {
  readonly #settings: KafkaSettings;
  readonly #topic: KafkaTopic;
  readonly #partition: number;
  readonly #groupBytesMax: number;
  #producer: Producer | null = null;
  #waiting: Waiting[] = [];
  #isRunning = false;
  #idle: Promise<void> = Promise.resolve();

  constructor(settings: KafkaSettings, topic: KafkaTopic, partition: number) {
    this.#settings = settings;
    this.#topic = topic;
    this.#partition = partition;
    this.#groupBytesMax = Math.min(GROUP_BYTES_MAX, topic.batchBytesMax - BATCH_HEAD_BYTES);
  }

  /** Resolves with the position once every replica in sync has the record. Rejects with ErrataError 'unavailable'. */
  append(record: KafkaRecordToWrite): Promise<number> {
    const bytes = record.value.length + (record.blobKey?.length ?? 0) + RECORD_HEAD_BYTES;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ record, bytes, since: performance.now(), resolve, reject });
      if (this.#isRunning) return;
      this.#isRunning = true;
      // A turn of the event loop later, so that requests read in the same turn share the commit.
      this.#idle = new Promise((idle) => {
        setImmediate(() => void this.#run().finally(idle));
      });
    });
  }

  async close(): Promise<void> {
    await this.#idle;
    await this.#producer?.close(true).catch(() => {});
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#takeGroup();
      if (group.length > 0) await this.#send(group);
    }
    this.#isRunning = false;
  }

  #takeGroup(): readonly Waiting[] {
    const late = performance.now() - WAIT_MS_MAX;
    const group: Waiting[] = [];
    let left = this.#groupBytesMax;
    let taken = 0;
    for (const entry of this.#waiting) {
      left -= entry.bytes;
      if (group.length > 0 && (left < 0 || group.length >= GROUP_RECORDS_MAX)) break;
      taken += 1;
      if (entry.since < late) entry.reject(tooLate(this.#topic.name));
      else group.push(entry);
    }
    this.#waiting = this.#waiting.slice(taken);
    return group;
  }

  async #send(group: readonly Waiting[]): Promise<void> {
    const timer = setTimeout(() => {
      for (const { reject } of group) reject(tooLate(this.#topic.name));
    }, WAIT_MS_MAX);
    try {
      this.#producer ??= this.#open();
      const { offsets } = await this.#producer.send({
        messages: group.map(({ record: { value, blobKey } }) => ({
          topic: this.#topic.name,
          partition: this.#partition,
          value,
          ...(blobKey !== null && { headers: new Map([[Buffer.from(BLOB_HEADER), Buffer.from(blobKey)]]) }),
        })),
      });
      const base = offsets?.[0]?.offset;
      if (base === undefined || base < 0n) throw new Error('the broker named no offset');
      for (const [index, { resolve }] of group.entries()) resolve(Number(base) + index + 1);
    } catch (error) {
      const refused = kafkaUnavailable(this.#settings, 'take records', error);
      for (const { reject } of group) reject(refused);
      // What the broker has of this producer nobody knows: a new one begins anew.
      const broken = this.#producer;
      this.#producer = null;
      await broken?.close(true).catch(() => {});
    } finally {
      clearTimeout(timer);
    }
  }

  #open(): Producer {
    return new Producer({
      ...clientOptions(this.#settings),
      idempotent: true,
      compression: this.#settings.compression,
      retries: TRIES_MAX,
      retryDelay: (_client, _operation, attempt) => Math.min(RETRY_MS.first * 2 ** attempt, RETRY_MS.last),
    });
  }
}

const tooLate = (topic: string) =>
  unavailable(`The Kafka topic ${topic} is not responding: events wait too long, try again later`);
