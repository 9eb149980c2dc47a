/**
 * Framing of envelopes: a header line, then items, each a header line and a payload.
 * Sources: https://develop.sentry.dev/sdk/foundations/transport/envelopes/ and relay-server/src/envelope/.
 */

/** What the header line may say; unknown fields are left out. */
export type EnvelopeHeader = {
  /** As sent. */
  eventId: string | null;
  dsn: string | null;
  /** Milliseconds since the epoch; null when absent or unreadable. */
  sentAtMs: number | null;
  sdk: string | null;
};

export type ItemHeader = {
  type: string;
  /** Bytes of the payload; null when it runs to the next newline. */
  length: number | null;
  /** Number of elements of a container. */
  itemCount: number | null;
  contentType: string | null;
  filename: string | null;
  attachmentType: string | null;
  /** Of a profile chunk. */
  platform: string | null;
};

/** Takes a payload as it arrives. What `write` throws ends the reading. */
export type PayloadSink = { write(part: Uint8Array): void };

/** What to do with an item whose header has been read; a payload with a sink goes there and is not held here. */
export type ItemDecision = { kind: 'keep'; bytesMax: number; sink?: PayloadSink } | { kind: 'skip' };

/** `payload` is null for what was skipped or went into a sink. */
export type EnvelopeItem = { header: ItemHeader; payload: Uint8Array | null; bytes: number };

export class EnvelopeError extends Error {
  /** `malformed` is the sender's mistake, `too_large` breaks a limit. */
  readonly kind: 'malformed' | 'too_large';
  constructor(kind: 'malformed' | 'too_large', message: string) {
    super(message);
    this.name = 'EnvelopeError';
    this.kind = kind;
  }
}

/** Header line of an envelope or an item. */
export const HEADER_LINE_BYTES_MAX = 64 * 1024;
/** Items of one envelope. */
export const ENVELOPE_ITEMS_MAX = 1_000;

/**
 * Reads an envelope as its bytes arrive and holds only what is kept: a skipped payload is counted, never stored.
 * Throws EnvelopeError from `push` and `end`.
 */
export class EnvelopeReader {
  header: EnvelopeHeader | null = null;
  readonly items: EnvelopeItem[] = [];
  /** Bytes of payloads and lines that this reader holds. */
  heldBytes = 0;
  readonly #decide: (header: ItemHeader) => ItemDecision;
  #state: 'envelope header' | 'item header' | 'payload' | 'payload end' = 'envelope header';
  #line: Uint8Array[] = [];
  #lineBytes = 0;
  #item: { header: ItemHeader; decision: ItemDecision; parts: Uint8Array[]; bytes: number } | null = null;

  constructor(decide: (header: ItemHeader) => ItemDecision) {
    this.#decide = decide;
  }

  /** Throws what the decision or a sink throws, too. */
  push(chunk: Uint8Array): void {
    let offset = 0;
    while (offset < chunk.length) offset = this.#consume(chunk, offset);
  }

  /** Reads no further than the envelope's header line; answers how many bytes of the chunk that took. */
  pushHeader(chunk: Uint8Array): number {
    let offset = 0;
    while (offset < chunk.length && !this.header) offset = this.#consume(chunk, offset);
    return offset;
  }

  /** The item whose payload is being read; null between items. */
  get current(): ItemHeader | null {
    return this.#item?.header ?? null;
  }

  /** Call once after the last chunk. */
  end(): EnvelopeHeader {
    if (this.#state === 'envelope header') {
      if (this.#lineBytes === 0) throw new EnvelopeError('malformed', 'The envelope is empty');
      this.#endLine();
    } else if (this.#state === 'item header' && this.#lineBytes > 0) {
      this.#endLine();
    }
    const item = this.#item;
    if (item) {
      if (item.header.length !== null && item.bytes < item.header.length) {
        throw new EnvelopeError(
          'malformed',
          `An item of type ${item.header.type} declares ${item.header.length} bytes, but only ${item.bytes} follow`,
        );
      }
      this.#endItem();
    }
    if (!this.header) throw new EnvelopeError('malformed', 'The envelope has no header line');
    return this.header;
  }

  /** Handles what belongs to the current state; answers the offset after it. */
  #consume(chunk: Uint8Array, offset: number): number {
    switch (this.#state) {
      case 'envelope header':
      case 'item header': {
        const newline = chunk.indexOf(10, offset);
        const end = newline === -1 ? chunk.length : newline;
        this.#lineBytes += end - offset;
        if (this.#lineBytes > HEADER_LINE_BYTES_MAX) {
          throw new EnvelopeError('too_large', `A header line is longer than ${HEADER_LINE_BYTES_MAX} bytes`);
        }
        if (end > offset) this.#line.push(chunk.subarray(offset, end));
        if (newline === -1) return end;
        this.#endLine();
        return end + 1;
      }
      case 'payload': {
        const length = this.#item?.header.length ?? null;
        if (length === null) {
          const newline = chunk.indexOf(10, offset);
          const end = newline === -1 ? chunk.length : newline;
          this.#addPayload(chunk.subarray(offset, end));
          if (newline === -1) return end;
          this.#endItem();
          return end + 1;
        }
        const end = Math.min(chunk.length, offset + length - (this.#item?.bytes ?? 0));
        this.#addPayload(chunk.subarray(offset, end));
        if (this.#item?.bytes === length) this.#state = 'payload end';
        return end;
      }
      case 'payload end':
        if (chunk[offset] !== 10) {
          throw new EnvelopeError(
            'malformed',
            `The payload of an item of type ${this.#item?.header.type} is longer than its declared length`,
          );
        }
        this.#endItem();
        return offset + 1;
    }
  }

  #endLine(): void {
    const line = joinParts(this.#line);
    this.#line = [];
    this.#lineBytes = 0;
    if (this.#state === 'envelope header') {
      this.header = parseEnvelopeHeader(line);
      this.#state = 'item header';
      return;
    }
    // Blank lines after the last item, and between items, mean nothing.
    if (line.length === 0 || (line.length === 1 && line[0] === 13)) return;
    if (this.items.length >= ENVELOPE_ITEMS_MAX) {
      throw new EnvelopeError('too_large', `The envelope has more than ${ENVELOPE_ITEMS_MAX} items`);
    }
    const header = parseItemHeader(line);
    // Known as the current one while it is decided about, so that a refusal counts it.
    this.#item = { header, decision: SKIP, parts: [], bytes: 0 };
    this.#item.decision = this.#decide(header);
    if (header.length !== null) this.#checkSize(header.length);
    this.#state = header.length === 0 ? 'payload end' : 'payload';
  }

  #addPayload(part: Uint8Array): void {
    const item = this.#item;
    if (!item) return;
    item.bytes += part.length;
    this.#checkSize(item.bytes);
    if (item.decision.kind === 'skip' || part.length === 0) return;
    if (item.decision.sink) {
      item.decision.sink.write(part);
      return;
    }
    this.heldBytes += part.length;
    item.parts.push(part);
  }

  #checkSize(bytes: number): void {
    const item = this.#item;
    if (item?.decision.kind === 'keep' && bytes > item.decision.bytesMax) {
      throw new EnvelopeError(
        'too_large',
        `An item of type ${item.header.type} is larger than ${item.decision.bytesMax} bytes`,
      );
    }
  }

  #endItem(): void {
    const item = this.#item;
    if (!item) return;
    this.items.push({
      header: item.header,
      payload: item.decision.kind === 'keep' && !item.decision.sink ? joinParts(item.parts) : null,
      bytes: item.bytes,
    });
    this.#item = null;
    this.#state = 'item header';
  }
}

const SKIP: ItemDecision = { kind: 'skip' };

function parseEnvelopeHeader(line: Uint8Array): EnvelopeHeader {
  const header = parseLine(line, 'The envelope header');
  const sdk = header.sdk as { name?: unknown; version?: unknown } | null | undefined;
  return {
    eventId: typeof header.event_id === 'string' ? header.event_id : null,
    dsn: typeof header.dsn === 'string' ? header.dsn : null,
    sentAtMs: parseSentAt(header.sent_at),
    sdk: typeof sdk?.name === 'string' ? `${sdk.name}/${String(sdk.version ?? '')}`.slice(0, 128) : null,
  };
}

function parseItemHeader(line: Uint8Array): ItemHeader {
  const header = parseLine(line, 'An item header');
  if (typeof header.type !== 'string' || header.type === '') {
    throw new EnvelopeError('malformed', 'An item header has no type');
  }
  const { length } = header;
  if (length !== undefined && length !== null && !isCount(length)) {
    throw new EnvelopeError(
      'malformed',
      `The length of an item of type ${header.type.slice(0, 50)} is not a valid byte count`,
    );
  }
  return {
    type: header.type.slice(0, 64),
    length: isCount(length) ? length : null,
    itemCount: isCount(header.item_count) ? header.item_count : null,
    contentType: readText(header.content_type, 200),
    filename: readText(header.filename, FILENAME_CHARACTERS_MAX),
    attachmentType: readText(header.attachment_type, 64),
    platform: readText(header.platform, 64),
  };
}

/** File name in an item header. */
const FILENAME_CHARACTERS_MAX = 1_024;

const readText = (value: unknown, charactersMax: number): string | null =>
  typeof value === 'string' && value !== '' ? value.slice(0, charactersMax) : null;

function parseLine(line: Uint8Array, what: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString('utf8'));
  } catch {
    throw new EnvelopeError('malformed', `${what} is not JSON`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new EnvelopeError('malformed', `${what} is not a JSON object`);
  }
  return value as Record<string, unknown>;
}

/** RFC 3339, or Unix seconds as some SDKs send. */
function parseSentAt(value: unknown): number | null {
  const ms =
    typeof value === 'number' ? value * 1000 : typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isFinite(ms) ? ms : null;
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

function joinParts(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts;
  if (!first) return new Uint8Array(0);
  return parts.length === 1 ? first : Buffer.concat(parts);
}
