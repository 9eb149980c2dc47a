import { blobKey } from '#protocol/blob-key.ts';
import type { DigestedEvent } from '#protocol/event.ts';
import type { Category, Outcome } from '#protocol/outcome.ts';
import type { TelemetryRows } from '#protocol/telemetry.ts';
import type { CrashFacts } from './crash-reports/crash-facts.ts';
import type { IngestRules } from './ingest-rules.ts';
import type { ReplayVideoParts } from './replays/unpack-replay-video.ts';
import type { SymbolSources } from './symbolicate/symbol-sources.ts';

/** One item of an accepted request, as it lay in the spool. */
export type RawItem = {
  /** As in the item's header; for requests that are no envelope, the type that the edge gave them. */
  type: string;
  contentType: string | null;
  filename: string | null;
  attachmentType: string | null;
  /** Number of elements that a container says it has. */
  itemCount: number | null;
  platform: string | null;
  /** Empty when the body lies in a blob. */
  payload: Uint8Array;
  /** Where the edge put a large body; null when it is in `payload`. */
  blob: { key: string; bytes: number } | null;
  /** 32 hex digits, made from the item's place in the spool: digested again, it has the same. */
  itemId: string;
  /** What was read from a crash dump ahead of digesting; null for everything else. */
  crash: CrashFacts | null;
  /**
   * Of a body that lies in a blob, what was read of it ahead of digesting: its first bytes, or of a profile a JSON object
   * of its small fields. Absent or null when the body is in `payload`, and for types that need none of it.
   */
  head?: Uint8Array | null;
  /** Of a replay's video that lies in a blob, its parts, taken out ahead of digesting; null for everything else. */
  videoParts?: ReplayVideoParts | null;
  /** Why the body is not stored: the project's settings say so, or it could not be scrubbed. */
  bodyFate?: 'discarded' | 'unreadable' | null;
  /** What the address of a security report said of the page. */
  release?: string | null;
  environment?: string | null;
};

/** City-level facts of an address; null when there is no database or it knows nothing. */
export type GeoLookup = (ip: string) => Readonly<Record<string, string>> | null;

/** What the edge knew of the request, and what the project decided. */
export type ItemContext = {
  organizationId: number;
  projectId: number;
  keyId: number;
  /** Milliseconds since the epoch by the edge's clock. */
  receivedAtMs: number;
  /** Milliseconds since the epoch by the sender's clock; null when it was not said. */
  sentAtMs: number | null;
  envelopeEventId: string | null;
  clientIp: string | null;
  /** The User-Agent header that it was delivered with. */
  userAgent: string | null;
  rules: IngestRules;
  /** Whether an event with these grouping hashes belongs to an issue that was discarded; absent for never. */
  isDiscarded?: (groupingHashes: readonly string[]) => boolean;
  /** Whether problems are looked for in transactions; absent for never, which is also so above the project's budget. */
  mayDetect?: boolean;
  lookUpGeo: GeoLookup;
  /** What was uploaded for the project's builds; absent for nothing. */
  symbols?: SymbolSources;
};

export type ItemOutcome = {
  category: Category;
  outcome: Outcome;
  /** Machine-readable; empty for accepted. */
  reason: string;
  quantity: number;
};

/** What became of an item: rows and blobs to store, and an outcome for everything in it. */
export type ItemResult = {
  events: readonly DigestedEvent[];
  rows: Partial<TelemetryRows>;
  /** Bodies that the edge left in the spool and that belong into the blob store. */
  blobs: readonly { key: string; bytes: Uint8Array }[];
  outcomes: readonly ItemOutcome[];
};

/** Understands one item. Never throws, whatever the bytes are; the same input gives the same result. */
export type DigestItem = (item: RawItem, context: ItemContext) => ItemResult;

export const NOTHING: ItemResult = { events: [], rows: {}, blobs: [], outcomes: [] };

/** Where the body of an item is stored, and the blob to write when the edge left it in the spool. */
export function storeBody(
  { blob, payload, itemId }: RawItem,
  { receivedAtMs, projectId }: ItemContext,
): { blobKey: string; bytes: number; blobs: ItemResult['blobs'] } {
  if (blob) return { blobKey: blob.key, bytes: blob.bytes, blobs: [] };
  const key = blobKey(receivedAtMs, projectId, itemId);
  return { blobKey: key, bytes: payload.length, blobs: [{ key, bytes: payload }] };
}

/** An item that is not stored, and why. */
export const discarded = (
  category: Category,
  reason: string,
  outcome: Outcome = 'invalid',
  quantity = 1,
): ItemResult => ({ ...NOTHING, outcomes: [{ category, outcome, reason, quantity }] });

/** An item that is stored as rows. */
export const accepted = (
  category: Category,
  rows: Partial<TelemetryRows>,
  quantity = 1,
  blobs: ItemResult['blobs'] = [],
): ItemResult => ({
  events: [],
  rows,
  blobs,
  outcomes: [{ category, outcome: 'accepted', reason: '', quantity }],
});
