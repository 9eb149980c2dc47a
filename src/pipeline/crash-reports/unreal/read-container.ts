import type { Breadcrumb } from '#protocol/event.ts';
import type { ByteSource } from '../crash-facts.ts';

/** A file in a report: where its content lies, in bytes. */
export type PackedFile = { name: string; offset: number; size: number };

type ReadContainer =
  | { kind: 'files'; files: readonly PackedFile[] }
  /** What is wrong with it, in words. */
  | { kind: 'unreadable'; reason: string };

/** Files of a report; the crash reporter packs about five. */
export const FILES_MAX = 100;
/** Name of one file in a report. */
const NAME_BYTES_MAX = 4_096;
const MARKER = 'CR1';

class ContainerError extends Error {}

/**
 * Lists the files of an unpacked Unreal report. In the older form the number of files is only known at its end.
 * Throws what the source throws. Source: symbolic-unreal/src/container.rs.
 */
export async function readContainer(source: ByteSource): Promise<ReadContainer> {
  try {
    const cursor = new Cursor(source);
    const isMarked = (await cursor.text(MARKER.length)) === MARKER;
    if (!isMarked) cursor.offset = 0;
    const headerCount = await readHeader(cursor);
    const count = isMarked ? headerCount : await readLastNumber(source);
    if (count < 0 || count > FILES_MAX) throw new ContainerError(`It declares ${count} files`);
    const files: PackedFile[] = [];
    for (let index = 0; index < count; index++) {
      await cursor.number();
      const name = await cursor.name();
      const size = await cursor.number();
      files.push({ name, offset: cursor.offset, size });
      cursor.skip(size);
    }
    return { kind: 'files', files };
  } catch (error) {
    if (error instanceof ContainerError) return { kind: 'unreadable', reason: error.message };
    throw error;
  }
}

/** Names of the folder and of the report, its size, and the number of files, which is answered. */
async function readHeader(cursor: Cursor): Promise<number> {
  await cursor.name();
  await cursor.name();
  await cursor.number();
  return cursor.number();
}

async function readLastNumber(source: ByteSource): Promise<number> {
  const cursor = new Cursor(source);
  cursor.offset = Math.max(0, source.size - 4);
  return cursor.number();
}

class Cursor {
  offset = 0;
  readonly #source: ByteSource;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  async number(): Promise<number> {
    const bytes = await this.#take(4);
    return new DataView(bytes.buffer, bytes.byteOffset, 4).getInt32(0, true);
  }

  /** A name in a field that it need not fill. */
  async name(): Promise<string> {
    const length = await this.number();
    if (length < 0 || length > NAME_BYTES_MAX) throw new ContainerError(`A name declares ${length} bytes`);
    return (await this.text(length)).replace(/\0+$/, '');
  }

  async text(length: number): Promise<string> {
    return Buffer.from(await this.#take(length)).toString('utf8');
  }

  skip(bytes: number): void {
    if (bytes < 0 || this.offset + bytes > this.#source.size) {
      throw new ContainerError('A file extends past the end of the report');
    }
    this.offset += bytes;
  }

  async #take(length: number): Promise<Uint8Array> {
    const bytes = await this.#source.read(this.offset, length);
    if (bytes.length < length) throw new ContainerError('It is truncated');
    this.offset += length;
    return bytes;
  }
}

/** What a file of a report is for. */
export type FileKind = 'minidump' | 'apple_crash_report' | 'log' | 'config' | 'context' | 'other';

const FIRST_BYTES: readonly [string, FileKind][] = [
  ['MDMP', 'minidump'],
  ['Incident Identifier:', 'apple_crash_report'],
];
/** How much of a file has to be seen. */
export const FILE_HEAD_BYTES = 32;

/** Source: `Unreal4FileType` in symbolic-unreal/src/container.rs. */
export function kindOfFile(name: string, head: Uint8Array): FileKind {
  if (name === 'CrashReportClient.ini') return 'config';
  if (name === 'CrashContext.runtime-xml') return 'context';
  if (name.endsWith('.log')) return 'log';
  const text = Buffer.from(head.subarray(0, FILE_HEAD_BYTES)).toString('latin1');
  return FIRST_BYTES.find(([start]) => text.startsWith(start))?.[1] ?? 'other';
}

/** How a file is attached to its event. Source: `expand_unreal_envelope` in relay-server/src/utils/unreal.rs. */
export const ATTACHMENT_OF_KIND: Readonly<Record<FileKind, { type: string; contentType: string }>> = {
  minidump: { type: 'event.minidump', contentType: 'application/x-dmp' },
  apple_crash_report: { type: 'event.applecrashreport', contentType: 'text/plain' },
  log: { type: 'unreal.logs', contentType: 'text/plain' },
  config: { type: 'event.attachment', contentType: 'text/plain' },
  context: { type: 'unreal.context', contentType: 'text/xml' },
  other: { type: 'event.attachment', contentType: 'application/octet-stream' },
};

/** Last lines of the log kept as breadcrumbs, as many as Relay keeps. */
const LINES_MAX = 40;
/** Message of one log line. */
const LINE_CHARS_MAX = 8_192;

/** `Log file open, 12/13/18 15:54:53`: in the order of the United States, in the time of the machine. */
const OPENED = /^Log file open, (\d\d)\/(\d\d)\/(\d\d) (\d\d):(\d\d):(\d\d)/;
/** `[2018.12.13-15.54.53:717][ 12]LogWindows: …` */
const STAMPED = /^\[(\d{4})\.(\d\d)\.(\d\d)-(\d\d)\.(\d\d)\.(\d\d):(\d{3})\]\[\s*\d+\]/;
const COMPONENT = /^([A-Za-z][\w-]{0,63}): /;

/**
 * The last lines of a log of Unreal as breadcrumbs. Lines without a time have that of the next line that has one, else
 * when the log was opened. Source: symbolic-unreal/src/logs.rs; `merge_unreal_logs` in relay-server/src/utils/unreal.rs.
 */
export function readUnrealLogs(log: Uint8Array, isWhole: boolean): Breadcrumb[] {
  const text = Buffer.from(log.buffer, log.byteOffset, log.byteLength).toString('utf8');
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  // The first line says when the log was opened; of a log that was cut it is half a line.
  const [first = ''] = lines;
  let timestamp = isWhole ? timeOf(OPENED.exec(first), 'opened') : null;
  const rest = lines.slice(1).filter((line) => line.trim() !== '');
  const breadcrumbs: Breadcrumb[] = [];
  for (const line of rest.slice(-LINES_MAX).reverse()) {
    const stamp = STAMPED.exec(line);
    timestamp = timeOf(stamp, 'stamped') ?? timestamp;
    const said = stamp ? line.slice(stamp[0].length) : line;
    const component = COMPONENT.exec(said);
    breadcrumbs.unshift({
      timestamp,
      category: component?.[1] ?? null,
      message: (component ? said.slice(component[0].length) : said).slice(0, LINE_CHARS_MAX).toWellFormed(),
    });
  }
  return breadcrumbs;
}

/** Seconds since the epoch, as if the machine's time were UTC: nobody knows its zone. */
function timeOf(match: RegExpExecArray | null, form: 'opened' | 'stamped'): number | null {
  if (match === null) return null;
  const [a = 0, b = 0, c = 0, hour = 0, minute = 0, second = 0, millisecond = 0] = match.slice(1).map(Number);
  const [year, month, day] = form === 'opened' ? [2000 + c, a, b] : [a, b, c];
  const isTime =
    month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour < 24 && minute < 60 && second < 60;
  return isTime ? Date.UTC(year, month - 1, day, hour, minute, second, millisecond) / 1000 : null;
}
