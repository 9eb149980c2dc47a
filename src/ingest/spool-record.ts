import type { Category, Outcome } from '#protocol/outcome.ts';

/** What the edge hands to digest: one accepted request, or a handful of outcomes that had no request to keep. */
export type IngestRecord = {
  organizationId: number;
  projectId: number;
  keyId: number;
  /** Milliseconds since the epoch, by the edge's clock. */
  receivedAtMs: number;
  /** Milliseconds since the epoch, by the SDK's clock; null when it was not said. */
  sentAtMs: number | null;
  /** From the envelope's header, or made by the edge; 32 lower-case hex digits; null without an event. */
  eventId: string | null;
  clientIp: string | null;
  userAgent: string | null;
  /** True when it was taken out of quarantine: its event id may be known already. */
  isReplay: boolean;
  /** True when it comes from another installation: it is history, so nobody is notified and no state changes. */
  isImport?: boolean;
  items: readonly RecordItem[];
  /** Items that were not kept, and why. */
  outcomes: readonly RecordOutcome[];
};

export type RecordItem = {
  type: string;
  /** Empty when the body lies in a blob. */
  payload: Uint8Array;
  facts?: ItemFacts;
};

/** What the item's header said besides its type, as far as digest needs it. */
export type ItemFacts = {
  contentType?: string;
  filename?: string;
  attachmentType?: string;
  /** Number of elements that a container says it has. */
  itemCount?: number;
  platform?: string;
  /** Where the edge put a large body. */
  blob?: { key: string; bytes: number };
  /** What the address of a security report said of the page. */
  release?: string;
  environment?: string;
  /** `UserID` of an Unreal report: user, Epic account and machine, with bars between. */
  unrealUser?: string;
};

export type RecordOutcome = {
  category: Category;
  outcome: Outcome;
  reason: string;
  quantity: number;
  /** Milliseconds since the epoch, when it was not when the record was received. */
  at?: number;
};

type Meta = {
  v: 1;
  o: number;
  p: number;
  k: number;
  at: number;
  sent: number | null;
  eid: string | null;
  ip: string | null;
  ua: string | null;
  replay: boolean;
  import?: true;
  items: [type: string, bytes: number, facts?: ItemFacts][];
  outcomes: readonly RecordOutcome[];
};

/**
 * Layout: length of the description (32 bits, little-endian), the description in JSON, the payloads as received; in
 * pieces, so that no payload is copied before the spool packs it.
 */
export function encodeRecord(record: IngestRecord): Uint8Array[] {
  const meta: Meta = {
    v: 1,
    o: record.organizationId,
    p: record.projectId,
    k: record.keyId,
    at: record.receivedAtMs,
    sent: record.sentAtMs,
    eid: record.eventId,
    ip: record.clientIp,
    ua: record.userAgent,
    replay: record.isReplay,
    ...(record.isImport && { import: true }),
    items: record.items.map(({ type, payload, facts }) =>
      facts ? [type, payload.length, facts] : [type, payload.length],
    ),
    outcomes: record.outcomes,
  };
  const text = JSON.stringify(meta);
  const head = Buffer.allocUnsafe(4 + Buffer.byteLength(text));
  head.writeUInt32LE(head.write(text, 4), 0);
  const pieces: Uint8Array[] = [head];
  for (const { payload } of record.items) pieces.push(payload);
  return pieces;
}

/** Throws when the bytes are not a record of a version that this release knows. */
export function decodeRecord(bytes: Uint8Array): IngestRecord {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = 4 + buffer.readUInt32LE(0);
  const meta = JSON.parse(buffer.toString('utf8', 4, end)) as Meta;
  if (meta.v !== 1)
    throw new Error(
      `A spooled record has version ${String(meta.v)}, but this release supports only version 1`,
    );
  let offset = end;
  return {
    organizationId: meta.o,
    projectId: meta.p,
    keyId: meta.k,
    receivedAtMs: meta.at,
    sentAtMs: meta.sent,
    eventId: meta.eid,
    clientIp: meta.ip,
    userAgent: meta.ua,
    isReplay: meta.replay,
    ...(meta.import && { isImport: true }),
    items: meta.items.map(([type, length, facts]) => {
      const payload = buffer.subarray(offset, offset + length);
      offset += length;
      return facts ? { type, payload, facts } : { type, payload };
    }),
    outcomes: meta.outcomes,
  };
}
