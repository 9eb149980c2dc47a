import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { crc32, createInflateRaw, inflateRaw } from 'node:zlib';
import { invalid } from './errors.ts';

export type ZipEntry = {
  name: string;
  /** Unpacked. */
  bytes: number;
  compressedBytes: number;
};

export type ZipSource = { bytes: number /** Half-open. */; read(from: number, to: number): Promise<Buffer> };

export const LOCAL_HEADER_BYTES = 30;
export const STORED = 0;
export const DEFLATED = 8;
const LOCAL_HEADER_SIGNATURE = 0x04034b50;
/** Of the archive that are read at once, and of a file that are handed out at once. */
const PIECE_BYTES = 256 * 1024;

export type Member = ZipEntry & {
  method: number;
  crc32: number;
  /** Of its local header. */
  offset: number;
  nameBytes: number;
};

const inflate = promisify(inflateRaw);

/** Throws ErrataError 'invalid' when its bytes are not those that the directory promises. */
export async function readMember(source: ZipSource, member: Member, slotEnd: number): Promise<Buffer> {
  const { from, to } = await findBytes(source, member, slotEnd);
  const packed = await source.read(from, to);
  const bytes = member.method === STORED ? packed : await unpack(packed, member);
  if (bytes.length !== member.bytes || crc32(bytes) !== member.crc32) throw damaged(member);
  return bytes;
}

/** Throws as `readMember`, after what was right; never hands out more bytes than the directory promises. */
export async function* piecesOfMember(
  source: ZipSource,
  member: Member,
  slotEnd: number,
): AsyncGenerator<Buffer> {
  const { from, to } = await findBytes(source, member, slotEnd);
  const packed = rangesOf(source, from, to);
  let bytes = 0;
  let sum = 0;
  for await (const piece of member.method === STORED ? packed : unpacked(packed, member)) {
    bytes += piece.length;
    if (bytes > member.bytes) throw damaged(member);
    sum = crc32(piece, sum);
    yield piece;
  }
  if (bytes !== member.bytes || sum !== member.crc32) throw damaged(member);
}

/** Half-open. Throws when what stands in front of the bytes is not what the directory says. */
async function findBytes(
  source: ZipSource,
  member: Member,
  slotEnd: number,
): Promise<{ from: number; to: number }> {
  const header = await source.read(member.offset, member.offset + LOCAL_HEADER_BYTES + member.nameBytes);
  const from = member.offset + LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
  const to = from + member.compressedBytes;
  if (
    header.readUInt32LE(0) !== LOCAL_HEADER_SIGNATURE ||
    header.readUInt16LE(26) !== member.nameBytes ||
    header.toString('utf8', LOCAL_HEADER_BYTES) !== member.name ||
    to > slotEnd
  ) {
    throw invalid(`"${member.name.slice(0, 200)}" is not where the directory of the archive says it is`);
  }
  return { from, to };
}

async function* rangesOf(source: ZipSource, from: number, to: number): AsyncGenerator<Buffer> {
  for (let at = from; at < to; at += PIECE_BYTES) yield await source.read(at, Math.min(at + PIECE_BYTES, to));
}

async function* unpacked(packed: AsyncGenerator<Buffer>, member: Member): AsyncGenerator<Buffer> {
  // A failure of either end reaches whoever reads the last one.
  const stream = pipeline(Readable.from(packed), createInflateRaw({ chunkSize: PIECE_BYTES }), () => {});
  try {
    yield* stream;
  } catch (error) {
    if (String((error as NodeJS.ErrnoException).code ?? '').startsWith('Z_')) throw cannotUnpack(member);
    throw error;
  }
}

async function unpack(packed: Buffer, member: Member): Promise<Buffer> {
  try {
    return await inflate(packed, { maxOutputLength: Math.max(member.bytes, 1) });
  } catch {
    throw cannotUnpack(member);
  }
}

const damaged = ({ name }: Member) =>
  invalid(
    `"${name.slice(0, 200)}" is damaged: its contents do not match the size and checksum in the archive`,
  );

const cannotUnpack = ({ name, bytes }: Member) =>
  invalid(
    `"${name.slice(0, 200)}" is damaged: it cannot be unpacked to the ${bytes} bytes that the archive declares`,
  );
