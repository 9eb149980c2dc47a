/** Nested arrays and maps. */
const DEPTH_MAX = 64;
/** Values of one document, keys of maps included. */
const VALUES_MAX = 100_000;

/**
 * Throws when decoding the MessagePack values would cost far more memory than their bytes: too deep, too many, or a
 * container that says more elements than bytes follow. A decoder makes room for what a container says before it reads.
 * Source: https://github.com/msgpack/msgpack/blob/master/spec.md
 */
export function checkMsgpackBounds(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  /** Values that are still to come at each level. */
  const pending: number[] = [];
  let values = 0;
  let at = 0;
  while (at < bytes.length) {
    values += 1;
    if (values > VALUES_MAX) throw new Error(`MessagePack with more than ${VALUES_MAX} values`);
    const { size, children } = readHead(view, at);
    at += size;
    if (at > bytes.length || children > bytes.length - at) {
      throw new Error('MessagePack that ends before its last value');
    }
    if (pending.length > 0) pending[pending.length - 1]! -= 1;
    if (children > 0) pending.push(children);
    if (pending.length > DEPTH_MAX) throw new Error(`MessagePack deeper than ${DEPTH_MAX} levels`);
    while (pending.at(-1) === 0) pending.pop();
  }
  if (pending.length > 0) throw new Error('MessagePack that ends before its last value');
}

type Head = {
  /** Bytes of the value, without the values in it. */
  size: number;
  /** Values that follow and belong to it. */
  children: number;
};

/** Reads past the end throw a RangeError. */
function readHead(view: DataView, at: number): Head {
  const tag = view.getUint8(at);
  if (tag <= 0x7f || tag >= 0xe0) return { size: 1, children: 0 };
  if (tag <= 0x8f) return { size: 1, children: (tag & 0x0f) * 2 };
  if (tag <= 0x9f) return { size: 1, children: tag & 0x0f };
  if (tag <= 0xbf) return { size: 1 + (tag & 0x1f), children: 0 };
  switch (tag) {
    case 0xc4:
    case 0xd9:
      return { size: 2 + view.getUint8(at + 1), children: 0 };
    case 0xc5:
    case 0xda:
      return { size: 3 + view.getUint16(at + 1), children: 0 };
    case 0xc6:
    case 0xdb:
      return { size: 5 + view.getUint32(at + 1), children: 0 };
    case 0xc7:
      return { size: 3 + view.getUint8(at + 1), children: 0 };
    case 0xc8:
      return { size: 4 + view.getUint16(at + 1), children: 0 };
    case 0xc9:
      return { size: 6 + view.getUint32(at + 1), children: 0 };
    case 0xdc:
      return { size: 3, children: view.getUint16(at + 1) };
    case 0xdd:
      return { size: 5, children: view.getUint32(at + 1) };
    case 0xde:
      return { size: 3, children: view.getUint16(at + 1) * 2 };
    case 0xdf:
      return { size: 5, children: view.getUint32(at + 1) * 2 };
    default:
      return { size: 1 + (FIXED_BYTES[tag] ?? 0), children: 0 };
  }
}

/** Bytes after the tag: numbers, and extensions with their type. */
const FIXED_BYTES: Readonly<Record<number, number>> = {
  202: 4,
  203: 8,
  204: 1,
  205: 2,
  206: 4,
  207: 8,
  208: 1,
  209: 2,
  210: 4,
  211: 8,
  212: 2,
  213: 3,
  214: 5,
  215: 9,
  216: 17,
};
