import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { messageOf } from '#lib/errors.ts';
import type { PackedMapping } from '#pipeline/symbolicate/java/packed-mapping.ts';
import type { PackedSymbols } from '#pipeline/symbolicate/native/packed-symbols.ts';
import type { PackedMap } from '#pipeline/symbolicate/source-map/packed-map.ts';

/** Each `detail` is one sentence for people. */
export type ParseFailure =
  | { kind: 'invalid'; detail: string }
  /** It needs more memory than one may. */
  | { kind: 'too-large' }
  /** The thread failed, or took too long: the same bytes may be read another time. */
  | { kind: 'failed'; detail: string };

export type ParseAnswer<Parsed> = { kind: 'parsed'; parsed: Parsed } | ParseFailure;

/** A source map and the script that it belongs to, both in UTF-8. */
export type MapBytes = {
  map: Uint8Array;
  /** null when it was not uploaded: functions keep the names that were sent. */
  script: Uint8Array | null;
};

/** What the thread is asked; it answers a ParseAnswer. */
export type ParseRequest =
  | { what: 'map'; bytes: Uint8Array<ArrayBuffer>; script: Uint8Array<ArrayBuffer> | null }
  | { what: 'mapping' | 'symbols'; bytes: Uint8Array<ArrayBuffer> };

const PARSE_MS_MAX = 20_000;
/** A script that takes longer than this, with its map, is left out: the map is parsed by itself. */
const SCRIPT_MS_MAX = 10_000;
/** The thread goes when nothing was asked of it for so long, and its memory with it. */
const IDLE_MS = 30_000;
const DETAIL_CHARS_MAX = 200;
const HEAP = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 32 } as const;

export type MapParserOptions = {
  /** The module of the thread. */
  worker?: URL;
  parseMsMax?: number;
};

/** Parses source maps, Java mappings and native symbols one at a time, in a thread that ends when it exceeds time or memory. */
export class MapParser {
  readonly #module: URL;
  readonly #parseMsMax: number;
  #worker: Worker | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(options: MapParserOptions = {}) {
    this.#module = options.worker ?? new URL('./parse-map-worker.ts', import.meta.url);
    this.#parseMsMax = options.parseMsMax ?? PARSE_MS_MAX;
  }

  /** `read` is called when it is the map's turn, so that only one is in memory. Rejects with what `read` throws. */
  parse(read: () => Promise<MapBytes | null>): Promise<ParseAnswer<PackedMap> | null> {
    return this.#inTurn(async () => {
      const bytes = await read();
      if (!bytes?.script) return bytes && (await this.#runMap(bytes, this.#parseMsMax));
      const answer = await this.#runMap(bytes, Math.min(SCRIPT_MS_MAX, this.#parseMsMax));
      if (answer.kind === 'parsed' || answer.kind === 'invalid') return answer;
      // The thread took the memory of the first attempt.
      const again = await read();
      return again && (await this.#runMap({ ...again, script: null }, this.#parseMsMax));
    });
  }

  /** As `parse`. */
  parseMapping(read: () => Promise<Uint8Array | null>): Promise<ParseAnswer<PackedMapping> | null> {
    return this.#inTurn(async () => {
      const bytes = await read();
      return bytes && (await this.#run({ what: 'mapping', bytes: ownMemory(bytes) }, this.#parseMsMax));
    });
  }

  /** As `parse`. */
  parseSymbols(read: () => Promise<Uint8Array | null>): Promise<ParseAnswer<PackedSymbols> | null> {
    return this.#inTurn(async () => {
      const bytes = await read();
      return bytes && (await this.#run({ what: 'symbols', bytes: ownMemory(bytes) }, this.#parseMsMax));
    });
  }

  async stop(): Promise<void> {
    clearTimeout(this.#idleTimer);
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  #inTurn<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => {});
    return turn;
  }

  #runMap({ map, script }: MapBytes, msMax: number): Promise<ParseAnswer<PackedMap>> {
    return this.#run({ what: 'map', bytes: ownMemory(map), script: script && ownMemory(script) }, msMax);
  }

  #run<Parsed>(request: ParseRequest, msMax: number): Promise<ParseAnswer<Parsed>> {
    clearTimeout(this.#idleTimer);
    let worker: Worker;
    try {
      worker = this.#worker ?? this.#start();
    } catch (error) {
      return Promise.resolve(failure(error));
    }
    return new Promise((resolve) => {
      const end = (answer: ParseAnswer<Parsed>, isAlive: boolean) => {
        clearTimeout(timer);
        worker.off('message', onMessage);
        worker.off('error', onError);
        worker.off('exit', onExit);
        if (isAlive) this.#stopWhenIdle();
        else void this.#drop(worker);
        resolve(answer);
      };
      const timer = setTimeout(() => {
        const seconds = Math.round(msMax / 1_000);
        end({ kind: 'failed', detail: `Parsing took more than ${seconds} seconds` }, false);
      }, msMax);
      const onMessage = (answer: ParseAnswer<Parsed>) => end(answer, true);
      const onError = (error: NodeJS.ErrnoException) => {
        const isTooLarge = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
        end(isTooLarge ? { kind: 'too-large' } : failure(error), false);
      };
      const onExit = () => end({ kind: 'failed', detail: 'The parser thread exited' }, false);
      worker.on('message', onMessage);
      worker.on('error', onError);
      worker.on('exit', onExit);
      const script = request.what === 'map' ? request.script : null;
      worker.postMessage(request, [request.bytes.buffer, ...(script ? [script.buffer] : [])]);
    });
  }

  #start(): Worker {
    // A limit for the heap of the process would hold for the thread in place of its own.
    setFlagsFromString('--max-old-space-size=0');
    const worker = new Worker(this.#module, { resourceLimits: HEAP });
    worker.unref();
    // Whatever a thread says that was ended is nobody's business.
    worker.on('error', () => {});
    worker.on('exit', () => this.#forget(worker));
    this.#worker = worker;
    return worker;
  }

  async #drop(worker: Worker): Promise<void> {
    this.#forget(worker);
    await worker.terminate();
  }

  #forget(worker: Worker): void {
    if (this.#worker === worker) this.#worker = null;
  }

  #stopWhenIdle(): void {
    this.#idleTimer = setTimeout(() => void this.stop(), IDLE_MS);
    this.#idleTimer.unref();
  }
}

const failure = (error: unknown): ParseFailure => ({
  kind: 'failed',
  detail: `It could not be parsed (${messageOf(error).slice(0, DETAIL_CHARS_MAX)})`,
});

/** Memory that can be given away: small buffers share theirs. */
const ownMemory = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  bytes.byteLength === bytes.buffer.byteLength && bytes.buffer instanceof ArrayBuffer
    ? (bytes as Uint8Array<ArrayBuffer>)
    : Uint8Array.from(bytes);
