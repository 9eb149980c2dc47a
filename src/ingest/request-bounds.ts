import { HOUR_MS, MINUTE_MS } from '#lib/time.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Bounds of what the edge reads; spec section 9. Those of single item types stand in item-types.ts. */
export const REQUEST_BOUNDS = {
  /** Body of a request, compressed or not. */
  envelopeBytesMax: 200 * MIB,
  /** One event. */
  eventBytesMax: MIB,
  /** One attachment. */
  attachmentBytesMax: 200 * MIB,
  /** Attachments of one form. */
  attachmentsMax: 30,
  clientReportBytesMax: 100 * KIB,
  checkInBytesMax: 100 * KIB,
  /** Body of one OTLP request. */
  otlpBytesMax: 12 * MIB,
  /** A body of a type that goes to the blob store is held in memory, and in the spool, up to this size. */
  inlineBytesMax: MIB,
  /** All bodies of one request that could go to the blob store: beyond it even small ones do. */
  inlineBytesOfRequestMax: 4 * MIB,
  /** What a body holds in memory while it is compressed into the blob store. */
  blobBufferBytes: 128 * KIB,
  /** Form fields of a multipart request, each up to the size of an event. */
  formFieldsMax: 1_000,
  formFieldBytesMax: MIB,
  /** Bytes of payloads held in memory over all requests; beyond it new ones are asked to come back. */
  inFlightBytesMax: 128 * MIB,
  /** Body of a request that is passed to the web role: more than the largest upload of its own. */
  proxiedBytesMax: 200 * MIB,
  /** A body up to this size is read as a whole before it takes a place in front of the web role. */
  heldBodyBytesMax: 64 * KIB,
  /** All such bodies together; beyond it the address that holds most loses its oldest one. */
  heldBodiesBytesMax: 64 * MIB,
  /** Once `bodyGraceMs` are over, a body on its way to the web role arrives at least so fast on average. */
  proxiedBytesPerSecondMin: KIB,
  bodyGraceMs: 30_000,
  /** An upload over a slow link: 200 MiB at 58 KB/s. */
  proxiedBodyMs: HOUR_MS,
  /** An answer of which the client takes nothing for so long is given up. */
  answerStallMs: MINUTE_MS,
  /** Rest of a refused body that is read and thrown away, so that the sender sees the answer. */
  drainBytesMax: 16 * MIB,
  drainMs: 5_000,
  /** From the first byte of a request to the end of its headers. */
  headersTimeoutMs: 20_000,
  /** From the first byte of a request to its last one, whatever it is: the bounds above and below end most earlier. */
  requestTimeoutMs: HOUR_MS + MINUTE_MS,
  /** The body of an ingest request. */
  ingestBodyMs: 300_000,
  /** A body of which nothing arrives for so long is given up. */
  bodyIdleMs: 30_000,
  /** How often the server looks for requests that are too slow. */
  timeoutCheckMs: 5_000,
  /** Request line and headers. */
  headerBytesMax: 32 * KIB,
  /** Headers of one request. */
  headersMax: 200,
  /** Seconds after which an SDK may try again when we are overloaded. */
  retryAfterSeconds: 10,
  /** Beyond it a new connection closes another one: idle ones first, then those of the address that holds most. */
  connectionsMax: 12_000,
  /** Connections that the system holds until they are accepted, as far as it allows: a burst turns nobody away. */
  backlogMax: 4_096,
  /** A connection that has been idle for less may be about to send its request: others are closed before it. */
  idleGraceMs: 500,
} as const;

/**
 * How much a body may grow by being unpacked. JSON, logs and stack memory pack 5 to 60 times; what packs more than this,
 * for longer than the floor, is filler that somebody else's disk and processor pay for.
 */
const INFLATION_RATIO_MAX = 100;
/** Up to here nobody asks: a short body of one repeated line is no harm. */
const INFLATION_FLOOR_BYTES = 16 * 1024 * 1024;

export const inflatesTooMuch = (packedBytes: number, bytes: number): boolean =>
  bytes > INFLATION_FLOOR_BYTES && bytes > packedBytes * INFLATION_RATIO_MAX;

export const INFLATES_TOO_MUCH = `decompresses to more than ${INFLATION_RATIO_MAX} times its size: send it uncompressed, or without padding`;
