/** Bounds of what the edge reads; spec section 9. */
export const LIMITS = {
  /** Body of a request, compressed or not. */
  envelopeBytesMax: 200 * 1024 * 1024,
  eventBytesMax: 1024 * 1024,
  clientReportBytesMax: 100 * 1024,
  /** Bytes of payloads held in memory over all requests; beyond it new ones are asked to come back. */
  inFlightBytesMax: 128 * 1024 * 1024,
  /** Rest of a refused body that is read and thrown away, so that the sender sees the answer. */
  drainBytesMax: 16 * 1024 * 1024,
  drainMs: 5_000,
  headersTimeoutMs: 20_000,
  requestTimeoutMs: 300_000,
  /** Seconds after which an SDK may try again when we are overloaded. */
  retryAfterSeconds: 10,
  connectionsMax: 12_000,
} as const;
