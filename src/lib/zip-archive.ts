import {
  type Entry,
  fromRandomAccessReaderPromise,
  type ZipFile as ParsedZip,
  RandomAccessReader,
} from 'yauzl';
import { invalid, isErrataError } from './errors.ts';
import {
  DEFLATED,
  LOCAL_HEADER_BYTES,
  type Member,
  piecesOfMember,
  readMember,
  STORED,
  type ZipEntry,
  type ZipSource,
} from './zip-member.ts';

type ZipFile = {
  /** Unpacked. */
  readonly bytes: number;
  /** Throws ErrataError 'invalid' when it is larger than asked for, or its bytes are wrong. */
  read(bytesMax: number): Promise<Buffer>;
  /** The same without ever holding the whole: what is wrong with its bytes may be known at their end only. */
  pieces(bytesMax: number): AsyncGenerator<Buffer>;
};

export type ZipArchive = {
  entries: ReadonlyMap<string, ZipEntry>;
  /** As those of the file do, and throw ErrataError 'invalid' also when there is no such file. */
  read(name: string, bytesMax: number): Promise<Buffer>;
  pieces(name: string, bytesMax: number): AsyncGenerator<Buffer>;
};

export type ZipLimits = {
  entriesMax: number;
  /** Of the directory, most of which is names. */
  directoryBytesMax: number;
  /** Of all files together, unpacked. */
  bytesMax: number;
};

/** An archive whose files are this many times its size is no archive of scripts, once they are large. */
const RATIO_MAX = 250;
const RATIO_COUNTS_FROM_BYTES = 16 * 1024 * 1024;
/** What may follow the last entry of the directory: its end, in either format. */
const END_SIGNATURES: readonly number[] = [0x06054b50, 0x06064b50];
const FILE_TYPE_BITS = 0o170000;
/** Nothing said, a regular file, a folder. */
const PLAIN_FILE_TYPES: readonly number[] = [0, 0o100000, 0o040000];

/**
 * Reads the directory of an archive, of which nothing is unpacked before `read` asks for it. What may stand before the
 * first file, as the head of Sentry's bundles does, is passed over. Throws ErrataError 'invalid' for anything that is
 * no plain archive of files: encrypted, too large, ambiguous, or with names that lead elsewhere.
 */
export async function openZip(source: ZipSource, limits: ZipLimits): Promise<ZipArchive> {
  const members = new Map<string, Member>();
  const directoryFrom = await readDirectory(source, limits, (member) => {
    if (members.has(member.name)) throw invalid(`The archive has "${member.name.slice(0, 200)}" twice`);
    members.set(member.name, member);
  });
  const ends = slotEnds(members, directoryFrom);
  checkRatio(members, source.bytes);
  const fileOf = (name: string) => {
    const member = members.get(name);
    if (!member) throw invalid(`The archive has no file "${name.slice(0, 200)}"`);
    return toFile(source, member, ends.get(member.offset) ?? 0);
  };
  return {
    entries: members,
    read: async (name, bytesMax) => await fileOf(name).read(bytesMax),
    pieces: (name, bytesMax) => fileOf(name).pieces(bytesMax),
  };
}

/** One file of an archive that `openZip` accepted before; null when it has none. Throws ErrataError 'invalid'. */
export async function findZipFile(
  source: ZipSource,
  limits: ZipLimits,
  name: string,
): Promise<ZipFile | null> {
  const found: Member[] = [];
  const offsets: number[] = [];
  const directoryFrom = await readDirectory(source, limits, (member) => {
    offsets.push(member.offset);
    if (member.name === name) found.push(member);
  });
  const [member, another] = found;
  if (another) throw invalid(`The archive has "${name.slice(0, 200)}" twice`);
  if (!member) return null;
  const next = offsets.reduce(
    (least, offset) => (offset > member.offset && offset < least ? offset : least),
    directoryFrom,
  );
  return toFile(source, member, next);
}

function toFile(source: ZipSource, member: Member, slotEnd: number): ZipFile {
  const requireAtMost = (bytesMax: number) => {
    if (member.bytes <= bytesMax) return;
    throw invalid(`"${member.name.slice(0, 200)}" has ${member.bytes} bytes: the limit is ${bytesMax}`);
  };
  return {
    bytes: member.bytes,
    async read(bytesMax) {
      requireAtMost(bytesMax);
      return await readMember(source, member, slotEnd);
    },
    async *pieces(bytesMax) {
      requireAtMost(bytesMax);
      yield* piecesOfMember(source, member, slotEnd);
    },
  };
}

/** Hands out the files one by one, folders left out. Answers where the directory begins. */
async function readDirectory(
  source: ZipSource,
  limits: ZipLimits,
  take: (member: Member) => void,
): Promise<number> {
  let bytes = 0;
  try {
    const reader = new WindowReader(source);
    const zip = await fromRandomAccessReaderPromise(reader, source.bytes, {
      autoClose: false,
      decodeStrings: false,
    });
    if (zip.entryCount > limits.entriesMax) {
      throw invalid(`The archive has ${zip.entryCount} files: at most ${limits.entriesMax} are allowed`);
    }
    const directoryFrom = cursorOf(zip);
    if (source.bytes - directoryFrom > limits.directoryBytesMax) {
      throw invalid(
        `The directory of the archive has more than ${limits.directoryBytesMax} bytes: shorten the names of its files, or split it`,
      );
    }
    for await (const entry of zip.eachEntry()) {
      const member = toMember(entry, directoryFrom);
      if (member === null) continue;
      bytes += member.bytes;
      if (bytes > limits.bytesMax) {
        throw invalid(`The files of the archive have more than ${limits.bytesMax} bytes unpacked`);
      }
      take(member);
    }
    await requireEnd(source, cursorOf(zip));
    return directoryFrom;
  } catch (error) {
    // What the source throws, a disk that is away, is no fault of the archive.
    if (isErrataError(error)) throw error;
    throw invalid(`This is not a readable zip archive: ${(error as Error).message.slice(0, 200)}`);
  }
}

/** null for a folder. */
function toMember(entry: Entry, directoryFrom: number): Member | null {
  const name = checkZipName(entry.fileNameRaw);
  const shown = name.slice(0, 200);
  if (entry.isEncrypted()) throw invalid(`"${shown}" is encrypted: upload archives without a password`);
  if (!PLAIN_FILE_TYPES.includes((entry.externalFileAttributes >>> 16) & FILE_TYPE_BITS)) {
    throw invalid(`"${shown}" is a link or a device: only regular files can be uploaded`);
  }
  const { compressedSize: compressedBytes, uncompressedSize: bytes, compressionMethod: method } = entry;
  if (method !== STORED && method !== DEFLATED) {
    throw invalid(
      `"${shown}" is compressed by method ${method}: only deflate and uncompressed files are supported`,
    );
  }
  const nameBytes = entry.fileNameRaw.length;
  const offset = entry.relativeOffsetOfLocalHeader;
  const end = offset + LOCAL_HEADER_BYTES + nameBytes + compressedBytes;
  // Deflate makes nothing much larger; a size that says so hides something.
  const compressedMax = bytes + bytes / 100 + 1024;
  if (!(Number.isSafeInteger(bytes) && end <= directoryFrom && compressedBytes <= compressedMax)) {
    throw invalid(`"${shown}" is not within the archive according to its sizes`);
  }
  if (name.endsWith('/')) {
    if (bytes > 0) throw invalid(`"${shown}" is a folder that contains data`);
    return null;
  }
  return { name, bytes, compressedBytes, method, crc32: entry.crc32, offset, nameBytes };
}

/** Where the file after each begins. Throws when two lie on each other. */
function slotEnds(members: ReadonlyMap<string, Member>, directoryFrom: number): ReadonlyMap<number, number> {
  const inOrder = [...members.values()].sort((a, b) => a.offset - b.offset);
  const ends = new Map<number, number>();
  for (const [index, { name, offset, nameBytes, compressedBytes }] of inOrder.entries()) {
    const end = inOrder[index + 1]?.offset ?? directoryFrom;
    if (offset + LOCAL_HEADER_BYTES + nameBytes + compressedBytes > end) {
      throw invalid(`"${name.slice(0, 200)}" overlaps another file of the archive`);
    }
    ends.set(offset, end);
  }
  return ends;
}

function checkRatio(members: ReadonlyMap<string, Member>, archiveBytes: number): void {
  let bytes = 0;
  for (const member of members.values()) bytes += member.bytes;
  if (bytes > RATIO_COUNTS_FROM_BYTES && bytes > archiveBytes * RATIO_MAX) {
    throw invalid(`The archive unpacks to more than ${RATIO_MAX} times its size`);
  }
}

/** A directory that says fewer files than it has would look different to every reader. */
async function requireEnd(source: ZipSource, at: number): Promise<void> {
  const signature = at + 4 <= source.bytes ? (await source.read(at, at + 4)).readUInt32LE(0) : 0;
  if (!END_SIGNATURES.includes(signature)) {
    throw invalid('The directory of the archive has more entries than declared');
  }
}

/** Where the directory is read next; the types of the parser call it a boolean. */
const cursorOf = (zip: ParsedZip): number => Number(zip.readEntryCursor);

/** No path of a file system is longer. */
const NAME_BYTES_MAX = 4096;
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The name of a file in an archive. Throws ErrataError 'invalid', also for a name that leads out of its folder. */
function checkZipName(raw: Uint8Array): string {
  if (raw.length === 0 || raw.length > NAME_BYTES_MAX) {
    throw invalid(`A file in the archive has a name of ${raw.length} bytes: use 1 to ${NAME_BYTES_MAX}`);
  }
  const name = decode(raw);
  const problem = findProblem(name);
  if (problem) throw invalid(`The file "${name.slice(0, 200)}" in the archive ${problem}`);
  return name;
}

function findProblem(name: string): string | null {
  if (name.includes('\\')) return 'has a backslash in its name';
  if (/\p{Cc}/u.test(name)) return 'has control characters in its name';
  if (name.startsWith('/') || /^[a-z]:/i.test(name)) return 'has an absolute path as its name';
  if (name.split('/').includes('..')) return 'has a name that points outside its folder';
  return null;
}

function decode(raw: Uint8Array): string {
  try {
    return UTF8.decode(raw);
  } catch {
    throw invalid('A file in the archive has a name that is not UTF-8');
  }
}

/** The directory is read in stretches, since its parser asks for a few bytes at a time. */
const WINDOW_BYTES = 256 * 1024;

/** Hands out bytes of one stretch of the source, which is read anew when something else is asked for. */
class WindowReader extends RandomAccessReader {
  readonly #source: ZipSource;
  #from = 0;
  #window: Buffer = Buffer.alloc(0);

  constructor(source: ZipSource) {
    super();
    this.#source = source;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.#slice(position, length).then(
      (bytes) => {
        bytes.copy(buffer, offset);
        callback(null);
      },
      (error: Error) => callback(error),
    );
  }

  async #slice(position: number, length: number): Promise<Buffer> {
    const start = position - this.#from;
    if (start >= 0 && start + length <= this.#window.length)
      return this.#window.subarray(start, start + length);
    if (!(position >= 0 && position + length <= this.#source.bytes)) {
      throw new Error('it ends before its directory does');
    }
    const to = Math.min(position + Math.max(length, WINDOW_BYTES), this.#source.bytes);
    this.#window = await this.#source.read(position, to);
    this.#from = position;
    return this.#window.subarray(0, length);
  }
}
