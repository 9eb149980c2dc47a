/** One event with its attachments, as it is handed to digest. */
export type ImportedEvent = {
  organizationId: number;
  projectId: number;
  keyId: number;
  /** 32 lower-case hex digits. */
  eventId: string;
  /** Milliseconds since the epoch: when the source received it. */
  receivedAtMs: number;
  items: readonly ImportedItem[];
};

export type ImportedItem = {
  /** As in an envelope: `event`, `attachment`. */
  type: string;
  payload: Uint8Array;
  facts?: { contentType?: string; filename?: string; attachmentType?: string };
};

/** Where imported events go: to the digest of the server, as what SDKs send does, past the limits of the edge. */
export interface EventSink {
  /** Durable when it resolves. Rejects with ErrataError 'unavailable' while too much waits. */
  append(event: ImportedEvent): Promise<void>;
  /** Whether digest has worked on everything that was appended before; false while that cannot be said. */
  isDrained(): Promise<boolean>;
}
