import { crc32, deflateRawSync } from 'node:zlib';

export type ZipFileInput = {
  /** Bytes for a name that is no UTF-8. */
  name: string | Buffer;
  content: string | Buffer;
  /** 8, deflate, unless set; another number only says so. */
  method?: number;
  /** Of the general purpose bits, besides the one for UTF-8: 1 says encrypted. */
  flags?: number;
  /** As Unix has it: `0o120777` says a symbolic link. */
  mode?: number;
  /** The file has no bytes of its own: its directory entry points at those of an earlier file. */
  sharesBytesOf?: number;
  /** What the directory says instead of the truth. */
  lies?: { crc32?: number; bytes?: number; compressedBytes?: number; offset?: number };
  /** The name in front of the bytes, where it is another one than in the directory. */
  localName?: string;
  /** Padding that the header in front of the bytes claims without having it. */
  localExtraBytes?: number;
};

export type ZipOptions = {
  /** Stands before the first file; offsets count from its begin. */
  prefix?: Buffer;
  /** What the end says instead of the truth. */
  entryCount?: number;
  directoryOffset?: number;
  comment?: string;
  /** Adds the ZIP64 end, which says this instead of the truth. */
  zip64?: { entryCount?: bigint; directoryOffset?: bigint; endOffset?: bigint };
};

/** What Sentry's bundles begin with: a magic word and the version 2. */
export const BUNDLE_HEAD = Buffer.from([...Buffer.from('SYSB'), 2, 0, 0, 0]);

const UTF8_FLAG = 0x800;
const DOS_DATE = 0x5821;

type Placed = ZipFileInput & { raw: Buffer; packed: Buffer; offset: number };

/** A zip archive, honest unless told otherwise: for tests of what reads them. */
export function makeZip(files: readonly ZipFileInput[], options: ZipOptions = {}): Buffer {
  const parts: Buffer[] = [options.prefix ?? Buffer.alloc(0)];
  const sizeOf = () => parts.reduce((sum, { length }) => sum + length, 0);
  const placed: Placed[] = [];
  for (const file of files) {
    const shared = file.sharesBytesOf === undefined ? undefined : placed[file.sharesBytesOf];
    const raw = shared?.raw ?? Buffer.from(file.content);
    const packed = shared?.packed ?? ((file.method ?? 8) === 8 ? deflateRawSync(raw) : raw);
    const offset = shared?.offset ?? sizeOf();
    const entry = { ...file, raw, packed, offset };
    placed.push(entry);
    if (!shared) parts.push(localHeader(entry), packed);
  }
  const directoryOffset = sizeOf();
  parts.push(...placed.map(directoryEntry));
  const directoryBytes = sizeOf() - directoryOffset;
  if (options.zip64) parts.push(...zip64End(options.zip64, placed.length, directoryOffset, sizeOf()));
  parts.push(end(options, placed.length, directoryOffset, directoryBytes));
  return Buffer.concat(parts);
}

/** A bundle as Sentry's tools upload it; each file is named by its URL. */
export function makeBundle(
  files: readonly {
    url: string;
    type: string;
    content: string | Buffer;
    headers?: Readonly<Record<string, string | undefined>>;
  }[],
  manifest: Readonly<Record<string, unknown>> = {},
): Buffer {
  const pathOf = (url: string) => `files/_/_/${url.replace(/^~\//, '')}`;
  const listed = Object.fromEntries(
    files.map(({ url, type, headers = {} }) => [pathOf(url), { url, type, headers }]),
  );
  return makeZip(
    [
      ...files.map(({ url, content }) => ({ name: pathOf(url), content })),
      { name: 'manifest.json', content: JSON.stringify({ files: listed, ...manifest }) },
    ],
    { prefix: BUNDLE_HEAD },
  );
}

function localHeader({ name, localName, raw, packed, method = 8, flags = 0, localExtraBytes = 0 }: Placed) {
  const text = Buffer.from(localName ?? name);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(flags | UTF8_FLAG, 6);
  header.writeUInt16LE(method, 8);
  header.writeUInt16LE(DOS_DATE, 12);
  header.writeUInt32LE(crc32(raw), 14);
  header.writeUInt32LE(packed.length, 18);
  header.writeUInt32LE(raw.length, 22);
  header.writeUInt16LE(text.length, 26);
  header.writeUInt16LE(localExtraBytes, 28);
  return Buffer.concat([header, text]);
}

function directoryEntry({ name, raw, packed, offset, method = 8, flags = 0, mode = 0o100644, lies }: Placed) {
  const text = Buffer.from(name);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE((3 << 8) | 20, 4);
  entry.writeUInt16LE(20, 6);
  entry.writeUInt16LE(flags | UTF8_FLAG, 8);
  entry.writeUInt16LE(method, 10);
  entry.writeUInt16LE(DOS_DATE, 14);
  entry.writeUInt32LE(lies?.crc32 ?? crc32(raw), 16);
  entry.writeUInt32LE(lies?.compressedBytes ?? packed.length, 20);
  entry.writeUInt32LE(lies?.bytes ?? raw.length, 24);
  entry.writeUInt16LE(text.length, 28);
  entry.writeUInt32LE((mode << 16) >>> 0, 38);
  entry.writeUInt32LE(lies?.offset ?? offset, 42);
  return Buffer.concat([entry, text]);
}

function zip64End(
  said: NonNullable<ZipOptions['zip64']>,
  entries: number,
  directoryOffset: number,
  at: number,
): Buffer[] {
  const record = Buffer.alloc(56);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(44n, 4);
  record.writeBigUInt64LE(said.entryCount ?? BigInt(entries), 24);
  record.writeBigUInt64LE(said.entryCount ?? BigInt(entries), 32);
  record.writeBigUInt64LE(said.directoryOffset ?? BigInt(directoryOffset), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(said.endOffset ?? BigInt(at), 8);
  locator.writeUInt32LE(1, 16);
  return [record, locator];
}

function end(options: ZipOptions, entries: number, directoryOffset: number, directoryBytes: number): Buffer {
  const comment = Buffer.from(options.comment ?? '');
  const record = Buffer.alloc(22);
  record.writeUInt32LE(0x06054b50, 0);
  record.writeUInt16LE(options.entryCount ?? entries, 8);
  record.writeUInt16LE(options.entryCount ?? entries, 10);
  record.writeUInt32LE(directoryBytes, 12);
  record.writeUInt32LE(options.directoryOffset ?? directoryOffset, 16);
  record.writeUInt16LE(comment.length, 20);
  return Buffer.concat([record, comment]);
}
