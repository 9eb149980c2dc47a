/** The parts of a `replay_video`, as views of its bytes. */
export type UnpackedVideo = { event: Uint8Array; recording: Uint8Array; video: Uint8Array };

/** Entries of the outer map, which should have three. */
const ENTRIES_MAX = 16;

/**
 * Takes a `replay_video` apart: a MessagePack map of byte strings. null when it is anything else. Reads only what such a
 * map may hold, so that nesting and lengths that lie cost nothing.
 * Sources: `ReplayVideoEvent` in relay-server/src/services/processor/replay.rs; the MessagePack specification.
 */
export function unpackReplayVideo(bytes: Uint8Array): UnpackedVideo | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const map = readMapHeader(view);
  if (map === null || map.entries > ENTRIES_MAX) return null;
  const found = new Map<string, Uint8Array>();
  let offset = map.end;
  for (let entry = 0; entry < map.entries; entry++) {
    const key = readString(view, offset);
    if (key === null) return null;
    const value = readString(view, key.end);
    if (value === null) return null;
    found.set(
      Buffer.from(bytes.buffer, bytes.byteOffset + key.start, key.end - key.start).toString('latin1'),
      bytes.subarray(value.start, value.end),
    );
    offset = value.end;
  }
  const event = found.get('replay_event');
  const recording = found.get('replay_recording');
  const video = found.get('replay_video');
  return event && recording && video ? { event, recording, video } : null;
}

/** The same map again, from parts that may have changed. */
export function packReplayVideo({ event, recording, video }: UnpackedVideo): Buffer {
  const parts: Uint8Array[] = [Buffer.from([0x83])];
  for (const [key, value] of [
    ['replay_event', event],
    ['replay_recording', recording],
    ['replay_video', video],
  ] as const) {
    const head = Buffer.alloc(5);
    head.writeUInt8(BIN_32, 0);
    head.writeUInt32BE(value.length, 1);
    parts.push(Buffer.from([0xa0 | key.length]), Buffer.from(key, 'latin1'), head, value);
  }
  return Buffer.concat(parts);
}

const BIN_32 = 0xc6;

type Range = { start: number; end: number };

function readMapHeader(view: DataView): { entries: number; end: number } | null {
  if (view.byteLength === 0) return null;
  const marker = view.getUint8(0);
  if ((marker & 0xf0) === 0x80) return { entries: marker & 0x0f, end: 1 };
  if (marker === 0xde && view.byteLength >= 3) return { entries: view.getUint16(1), end: 3 };
  if (marker === 0xdf && view.byteLength >= 5) return { entries: view.getUint32(1), end: 5 };
  return null;
}

/** Text or bytes; null for every other kind, and for what is not wholly there. */
function readString(view: DataView, offset: number): Range | null {
  if (offset >= view.byteLength) return null;
  const marker = view.getUint8(offset);
  const lengthBytes = LENGTH_BYTES[marker];
  let start = offset + 1;
  let length: number;
  if ((marker & 0xe0) === 0xa0) {
    length = marker & 0x1f;
  } else if (lengthBytes !== undefined && start + lengthBytes <= view.byteLength) {
    length =
      lengthBytes === 1
        ? view.getUint8(start)
        : lengthBytes === 2
          ? view.getUint16(start)
          : view.getUint32(start);
    start += lengthBytes;
  } else {
    return null;
  }
  const end = start + length;
  return end <= view.byteLength ? { start, end } : null;
}

/** Markers of text (str 8, 16, 32) and bytes (bin 8, 16, 32), and how long their length is. */
const LENGTH_BYTES: Readonly<Record<number, 1 | 2 | 4>> = {
  217: 1,
  218: 2,
  219: 4,
  196: 1,
  197: 2,
  198: 4,
};

/** A part of a video that was put into the blob store. */
export type StoredPart = { key: string; bytes: number };

/** What a `replay_video` packs together; `unreadable` when it is no such thing. */
export type ReplayVideoParts =
  | { kind: 'unreadable' }
  | {
      kind: 'parts';
      /** JSON of the replay's event. */
      event: Uint8Array;
      /** First bytes of the recording: its header line is among them. */
      recordingHead: Uint8Array;
      recording: StoredPart;
      video: StoredPart;
    };

/** Where the parts of a video go, made from the item's id. */
export const recordingName = (itemId: string): string => `${itemId}-recording`;
export const videoName = (itemId: string): string => `${itemId}-video`;
