import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import type { OtlpField, OtlpTable, ScalarKind } from './otlp-tables.ts';

/** A message in the shape of its JSON encoding: ids as hex, 64-bit numbers as text, absent fields absent. */
export type OtlpMessage = { [name: string]: unknown };

/** Messages of one payload; each attribute and value is one too. */
const MESSAGES_MAX = 1_000_000;
/** Nested messages; deeper ones are left out. */
const DEPTH_MAX = 32;
/** Nested groups, which OTLP does not use: they are skipped. */
const GROUP_DEPTH_MAX = 8;

const WIRE_TYPE: Readonly<Record<ScalarKind, WireType>> = {
  text: WireType.LengthDelimited,
  hex: WireType.LengthDelimited,
  base64: WireType.LengthDelimited,
  bool: WireType.Varint,
  int32: WireType.Varint,
  int64: WireType.Varint,
  double: WireType.Bit64,
  fixed32: WireType.Bit32,
  fixed64: WireType.Bit64,
  sfixed64: WireType.Bit64,
};

/** Reads a protobuf payload. Fields that the table does not know, or of another wire type, are skipped. null when broken. */
export function readOtlpBinary(bytes: Uint8Array, table: OtlpTable): OtlpMessage | null {
  try {
    const reader = new BinaryReader(bytes);
    return readMessage(reader, table, reader.len, 0, { messagesLeft: MESSAGES_MAX });
  } catch {
    return null;
  }
}

type Budget = { messagesLeft: number };

function readMessage(
  reader: BinaryReader,
  table: OtlpTable,
  end: number,
  depth: number,
  budget: Budget,
): OtlpMessage {
  budget.messagesLeft -= 1;
  if (budget.messagesLeft < 0) throw new RangeError('The payload contains too many messages');
  const message: OtlpMessage = {};
  while (reader.pos < end) {
    const [number, wireType] = reader.tag();
    const field = Object.hasOwn(table, number) ? table[number] : undefined;
    if (field === undefined || wireType !== wireTypeOf(field)) {
      reader.skip(wireType, number, GROUP_DEPTH_MAX);
    } else if ('kind' in field) {
      message[field.name] = readScalar(reader, field.kind);
    } else {
      readChild(reader, field, message, depth, budget);
    }
  }
  if (reader.pos !== end) throw new RangeError('A field extends past the end of its message');
  return message;
}

function readChild(
  reader: BinaryReader,
  field: Extract<OtlpField, { message: unknown }>,
  parent: OtlpMessage,
  depth: number,
  budget: Budget,
): void {
  const length = reader.uint32();
  // One that runs past the end of the message around it is found there.
  const end = reader.pos + length;
  if (depth >= DEPTH_MAX) {
    reader.pos = end;
    return;
  }
  const child = readMessage(reader, field.message(), end, depth + 1, budget);
  if (!field.isRepeated) {
    parent[field.name] = child;
    return;
  }
  const list = parent[field.name];
  if (Array.isArray(list)) list.push(child);
  else parent[field.name] = [child];
}

const wireTypeOf = (field: OtlpField): WireType =>
  'kind' in field ? WIRE_TYPE[field.kind] : WireType.LengthDelimited;

function readScalar(reader: BinaryReader, kind: ScalarKind): string | number | boolean {
  switch (kind) {
    case 'text':
      return reader.string();
    case 'hex':
      return toBuffer(reader.bytes()).toString('hex');
    case 'base64':
      return toBuffer(reader.bytes()).toString('base64');
    case 'bool':
      return reader.bool();
    case 'int32':
      return reader.int32();
    case 'int64':
      return String(reader.int64());
    case 'double':
      return reader.double();
    case 'fixed32':
      return reader.fixed32();
    case 'fixed64':
      return String(reader.fixed64());
    case 'sfixed64':
      return String(reader.sfixed64());
  }
}

const toBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
