import { setTimeout as delay } from 'node:timers/promises';
import { Producer } from '@platformatic/kafka';
import { unavailable, undecided } from '#lib/errors.ts';
import { clientOptions, type KafkaSettings, type KafkaTopic, kafkaUndecided } from './connect-kafka.ts';
import { BATCH_HEAD_BYTES, BLOB_HEADER, RECORD_HEAD_BYTES } from './kafka-record.ts';

/** Records of one request to the broker. */
const GROUP_RECORDS_MAX = 1_000;
/** Bytes of one request to the broker, about, where the topic takes as many. */
const GROUP_BYTES_MAX = 4 * 1024 * 1024;
/** Tries of one request while a broker is away or another becomes the leader. */
const TRIES_MAX = 40;
const RETRY_MS = { first: 50, last: 1_000 } as const;
/** Where records follow each other so closely, those of `GATHER_MS` go together: a request costs as much as a record of 5 KB. */
const FOLLOWS_MS = 50;
const GATHER_MS = 5;
/** Whoever waits longer is told to come again, whatever becomes of the request. */
const WAIT_MS_MAX = 30_000;
/** Those that wait behind a request that is under way are looked at this often. */
const LOOK_MS = 1_000;
/** What a close waits for the request that is under way, and for the producer to give it up. */
const CLOSE_MS_MAX = 500;

export type KafkaRecordToWrite = {
  value: Buffer;
  blobKey: string | null;
  /** Is not refused for its time: whoever sends it waits for what becomes of it. */
  isPatient: boolean;
};

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
  #sentAt = Number.NEGATIVE_INFINITY;
  #idle: Promise<void> = Promise.resolve();

  constructor(settings: KafkaSettings, topic: KafkaTopic, partition: number) {
    this.#settings = settings;
    this.#topic = topic;
    this.#partition = partition;
    this.#groupBytesMax = Math.min(GROUP_BYTES_MAX, topic.batchBytesMax - BATCH_HEAD_BYTES);
  }

  /**
   * Resolves with the position once every replica in sync has the record. Rejects with ErrataError 'unavailable', which is
   * undecided once the record was sent.
   */
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

  /** Does not wait for brokers that do not answer: what waits is then refused. */
  async close(): Promise<void> {
    const ended = () => Promise.race([this.#idle, delay(CLOSE_MS_MAX, undefined, { ref: false })]);
    await ended();
    this.#refuse(() => true);
    await this.#producer?.close(true).catch(() => {});
    await ended();
  }

  async #run(): Promise<void> {
    const looking = setInterval(() => this.#refuseLate(), LOOK_MS);
    while (this.#waiting.length > 0) {
      if (performance.now() - this.#sentAt < FOLLOWS_MS) await delay(GATHER_MS);
      this.#sentAt = performance.now();
      const group = this.#takeGroup();
      if (group.length > 0) await this.#send(group);
    }
    clearInterval(looking);
    this.#isRunning = false;
  }

  #refuseLate(): void {
    const late = performance.now() - WAIT_MS_MAX;
    this.#refuse(({ since, record }) => since < late && !record.isPatient);
  }

  /** None of these has been sent. */
  #refuse(isRefused: (entry: Waiting) => boolean): void {
    const { refused = [], kept = [] } = Object.groupBy(this.#waiting, (entry) =>
      isRefused(entry) ? 'refused' : 'kept',
    );
    this.#waiting = kept;
    for (const { reject } of refused) reject(unavailable(tooLate(this.#topic.name)));
  }

  #takeGroup(): readonly Waiting[] {
    this.#refuseLate();
    const group: Waiting[] = [];
    let left = this.#groupBytesMax;
    for (const entry of this.#waiting) {
      left -= entry.bytes;
      if (group.length > 0 && (left < 0 || group.length >= GROUP_RECORDS_MAX)) break;
      group.push(entry);
    }
    this.#waiting = this.#waiting.slice(group.length);
    return group;
  }

  async #send(group: readonly Waiting[]): Promise<void> {
    const timer = setTimeout(() => {
      for (const { record, reject } of group) {
        if (!record.isPatient) reject(undecided(tooLate(this.#topic.name)));
      }
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
      const refused = kafkaUndecided(this.#settings, error);
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

const tooLate = (topic: string): string =>
  `The Kafka topic ${topic} is not responding: events wait too long, try again later`;
