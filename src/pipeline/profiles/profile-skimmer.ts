import type { RawItem } from '../item.ts';
import { isSource } from '../normalize/field-reader.ts';

/** What is read of a profile without holding its samples, stacks and frames. */
export type ProfileSummary = {
  /** The fields at its top whose JSON is small. */
  fields: Readonly<Record<string, unknown>>;
  /** Times of `profile.samples`, as they are written, in their order; null without samples. */
  samples: { count: number; first: number; last: number } | null;
};

/** One small field of a profile; larger ones are skipped. */
const FIELD_BYTES_MAX = 16 * 1024;
/** All small fields of a profile together. */
const FIELDS_BYTES_MAX = 256 * 1024;
/** Name of a field, or text of a timestamp. */
const KEY_BYTES_MAX = 256;
/** How deep the skimmer knows where it is; below it only counts brackets. */
const KNOWN_DEPTH = 4;
/** Nesting of a profile; a deeper one is invalid. */
const DEPTH_MAX = 1_000;
/** `profile.samples[].…`: depth 1 is the profile itself. */
const SAMPLE_DEPTH = 4;
const SAMPLE_TIMES: ReadonlySet<string> = new Set(['timestamp', 'timestamp_ms', 'elapsed_since_start_ns']);

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const COMMA = 0x2c;
const COLON = 0x3a;

/**
 * Reads the JSON of a profile piece by piece, in memory that does not grow with it: a profile may have 50 MiB. It looks
 * at where brackets and strings are, and checks no more of what it passes over.
 */
export class ProfileSkimmer {
  #depth = 0;
  #isEnded = false;
  #isBroken = false;
  #inString = false;
  #isEscaped = false;
  /** Whether the string under way is a key of an object whose place is known. */
  #isKey = false;
  readonly #isObject: boolean[] = [];
  readonly #expectsKey: boolean[] = [];
  readonly #keys: string[] = [];
  readonly #key = new Capture(KEY_BYTES_MAX);
  readonly #field = new Capture(FIELD_BYTES_MAX);
  readonly #time = new Capture(KEY_BYTES_MAX);
  #isInField = false;
  #isInTime = false;
  readonly #fields: [string, string][] = [];
  #fieldsBytes = 0;
  #count = 0;
  #first: number | null = null;
  #last = 0;

  push(chunk: Uint8Array): void {
    for (let index = 0; index < chunk.length && !this.#isBroken; index++) this.#byte(chunk[index] as number);
  }

  /** null when it was no JSON object, or not all of one. */
  end(): ProfileSummary | null {
    if (this.#isBroken || !this.#isEnded) return null;
    const fields: [string, unknown][] = [];
    try {
      for (const [key, json] of this.#fields) {
        if (key !== '__proto__') fields.push([key, JSON.parse(json) as unknown]);
      }
    } catch {
      return null;
    }
    return {
      fields: Object.fromEntries(fields),
      samples: this.#first === null ? null : { count: this.#count, first: this.#first, last: this.#last },
    };
  }

  #byte(byte: number): void {
    if (this.#inString) {
      this.#inStringByte(byte);
      return;
    }
    if (this.#depth === 0 && byte !== OPEN_OBJECT) {
      if (byte > 0x20 && !isByteOrderMark(byte)) this.#isBroken = true;
      return;
    }
    switch (byte) {
      case QUOTE:
        this.#inString = true;
        this.#isKey = this.#depth <= KNOWN_DEPTH && this.#expectsKey[this.#depth] === true;
        if (this.#isKey) this.#key.clear();
        this.#capture(byte);
        break;
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        this.#capture(byte);
        this.#open(byte === OPEN_OBJECT);
        break;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        this.#close(byte);
        break;
      case COMMA:
        this.#endValue();
        if (this.#isObject[this.#depth] === true) this.#expectsKey[this.#depth] = true;
        this.#capture(byte);
        break;
      case COLON:
        this.#capture(byte);
        if (this.#depth <= KNOWN_DEPTH && this.#expectsKey[this.#depth] === true) this.#beginValue();
        break;
      default:
        this.#capture(byte);
    }
  }

  #inStringByte(byte: number): void {
    this.#capture(byte);
    if (byte === QUOTE && !this.#isEscaped) this.#inString = false;
    else if (this.#isKey) this.#key.add(byte);
    this.#isEscaped = byte === BACKSLASH && !this.#isEscaped;
  }

  #open(isObject: boolean): void {
    if (this.#depth === 0 && this.#isEnded) this.#isBroken = true;
    this.#depth += 1;
    if (this.#depth > DEPTH_MAX) this.#isBroken = true;
    if (this.#depth > KNOWN_DEPTH) return;
    this.#isObject[this.#depth] = isObject;
    this.#expectsKey[this.#depth] = isObject;
    this.#keys[this.#depth] = '';
    if (this.#depth === SAMPLE_DEPTH && isObject && this.#isInSamples()) this.#count += 1;
  }

  #close(byte: number): void {
    this.#endValue();
    if (this.#depth <= KNOWN_DEPTH && this.#isObject[this.#depth] !== (byte === CLOSE_OBJECT))
      this.#isBroken = true;
    this.#depth -= 1;
    if (this.#depth === 0) this.#isEnded = true;
    else this.#capture(byte);
  }

  #beginValue(): void {
    this.#expectsKey[this.#depth] = false;
    const key = this.#key.text() ?? '';
    this.#keys[this.#depth] = key;
    if (this.#depth === 1) {
      this.#isInField = true;
      this.#field.clear();
    } else if (this.#depth === SAMPLE_DEPTH && SAMPLE_TIMES.has(key) && this.#isInSamples()) {
      this.#isInTime = true;
      this.#time.clear();
    }
  }

  /** At a comma or a closing bracket. */
  #endValue(): void {
    if (this.#isInField && this.#depth === 1) {
      this.#isInField = false;
      this.#keepField();
    } else if (this.#isInTime && this.#depth === SAMPLE_DEPTH) {
      this.#isInTime = false;
      this.#keepTime();
    }
  }

  #keepField(): void {
    const json = this.#field.text();
    if (json === null || json.trim() === '' || this.#fieldsBytes + json.length > FIELDS_BYTES_MAX) return;
    this.#fieldsBytes += json.length;
    this.#fields.push([this.#keys[1] ?? '', json]);
  }

  #keepTime(): void {
    const text = this.#time.text()?.trim().replace(/^"|"$/g, '') ?? '';
    const time = text === '' ? Number.NaN : Number(text);
    if (!Number.isFinite(time)) return;
    this.#first ??= time;
    this.#last = time;
  }

  #capture(byte: number): void {
    if (this.#isInField) this.#field.add(byte);
    if (this.#isInTime) this.#time.add(byte);
  }

  #isInSamples(): boolean {
    return this.#keys[1] === 'profile' && this.#keys[2] === 'samples' && this.#isObject[3] === false;
  }
}

/** Bytes up to a bound; what is longer reads as null. */
class Capture {
  readonly #bytes: Buffer;
  #length = 0;

  constructor(bytesMax: number) {
    this.#bytes = Buffer.allocUnsafe(bytesMax);
  }

  clear(): void {
    this.#length = 0;
  }

  add(byte: number): void {
    if (this.#length < this.#bytes.length) this.#bytes[this.#length] = byte;
    this.#length += 1;
  }

  text(): string | null {
    return this.#length > this.#bytes.length ? null : this.#bytes.toString('utf8', 0, this.#length);
  }
}

const isByteOrderMark = (byte: number): boolean => byte === 0xef || byte === 0xbb || byte === 0xbf;

/** What is known of an item's profile, wherever its body lies; null when it is no JSON object. */
export function readSummary(item: RawItem): ProfileSummary | null {
  if (item.head) return parseSummary(item.head);
  if (item.blob) return null;
  const skimmer = new ProfileSkimmer();
  skimmer.push(item.payload);
  return skimmer.end();
}

/** How the summary of a profile in a blob is handed on, in `head`. */
export const writeSummary = (summary: ProfileSummary | null): Uint8Array =>
  Buffer.from(JSON.stringify(summary));

function parseSummary(head: Uint8Array): ProfileSummary | null {
  try {
    const summary: unknown = JSON.parse(
      Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('utf8'),
    );
    return isSource(summary) && isSource(summary.fields) ? (summary as ProfileSummary) : null;
  } catch {
    return null;
  }
}
