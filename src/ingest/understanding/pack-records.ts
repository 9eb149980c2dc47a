import { emptyResult } from '#pipeline/digest-envelope.ts';
import type { DigestedEvent, NormalizedEvent } from '#protocol/event.ts';
import { TELEMETRY_KINDS, type TelemetryRows } from '#protocol/telemetry.ts';
import {
  PLACES_OF_EVENT,
  type PreparedEvent,
  type SearchColumns,
  type WrittenEvent,
  type WrittenEvents,
} from '#storage/ports/events.ts';
import type { UnderstoodRecord } from './understand-record.ts';

/** Understood records as they go from thread to thread: a deep copy of the events would cost what the threads gain. */
export type PackedRecords = {
  /** `PackedHeads` in JSON, which is copied and read in half the time of objects. */
  heads: string;
  rows: Uint8Array<ArrayBuffer>;
  places: Uint32Array<ArrayBuffer>;
  /** Of each record what else it brings; absent for nothing, which is mostly so. */
  others: (Others | undefined)[];
};

type EventHead = Omit<DigestedEvent, 'payload'> & { payload?: undefined };
type PackedHeads = {
  records: (Omit<UnderstoodRecord, 'result'> & {
    /** null without items. */
    result: { events: EventHead[]; outcomes: EnvelopeOutcomes } | null;
  })[];
  columns: readonly SearchColumns[];
};
type EnvelopeOutcomes = NonNullable<UnderstoodRecord['result']>['outcomes'];
type Others = { rows: Partial<TelemetryRows>; blobs: { key: string; bytes: Uint8Array }[] };

/** `transfer` is the memory that goes with it. */
export function packRecords(
  records: readonly UnderstoodRecord[],
  write: (events: readonly DigestedEvent[]) => WrittenEvents,
): { packed: PackedRecords; transfer: ArrayBuffer[] } {
  const events = records.flatMap(({ result }) => result?.events ?? []);
  const { bytes, places, columns } = write(events);
  const heads: PackedHeads = {
    records: records.map(({ result, ...record }) => ({
      ...record,
      result: result && {
        // JSON leaves it out; to take it out of a copy would take far longer.
        events: result.events.map((event) => ({ ...event, payload: undefined })),
        outcomes: result.outcomes,
      },
    })),
    columns,
  };
  const others = records.map(({ result }) => result && othersOf(result));
  return {
    packed: {
      heads: JSON.stringify(heads),
      rows: bytes,
      places,
      others: others.map((each) => each ?? undefined),
    },
    transfer: [bytes.buffer, places.buffer],
  };
}

function othersOf({ rows, blobs }: NonNullable<UnderstoodRecord['result']>): Others | undefined {
  const kinds = TELEMETRY_KINDS.filter((kind) => rows[kind].length > 0);
  if (kinds.length === 0 && blobs.length === 0) return undefined;
  return { rows: Object.fromEntries(kinds.map((kind) => [kind, rows[kind]])), blobs };
}

/** The payloads stay in their rows until somebody asks for them. */
export function unpackRecords({ heads, rows, places, others }: PackedRecords): UnderstoodRecord[] {
  const { records, columns } = JSON.parse(heads) as PackedHeads;
  let index = 0;
  let start = 0;
  const takeEvent = (head: EventHead): PreparedEvent => {
    const at = index * PLACES_OF_EVENT;
    const [from = 0, to = 0, end = 0] = places.subarray(at, at + PLACES_OF_EVENT);
    const row = rows.subarray(start, end);
    const written: WrittenEvent = {
      row,
      payload: { from: from - start, to: to - start },
      columns: columns[index]!,
    };
    index += 1;
    start = end;
    return Object.assign(new WrittenAhead(written), head);
  };
  return records.map(({ result, ...record }, at) => ({
    ...record,
    result: result && {
      ...emptyResult(),
      outcomes: result.outcomes,
      events: result.events.map(takeEvent),
      ...withRows(others[at]),
    },
  }));
}

const withRows = (other: Others | undefined) =>
  other && { rows: { ...emptyResult().rows, ...other.rows }, blobs: other.blobs };

/** An event whose payload is read out of its row, once. */
class WrittenAhead {
  readonly written: WrittenEvent;
  #payload: NormalizedEvent | null = null;

  constructor(written: WrittenEvent) {
    this.written = written;
  }

  get payload(): NormalizedEvent {
    this.#payload ??= readPayload(this.written);
    return this.#payload;
  }
}

function readPayload({ row, payload: { from, to } }: WrittenEvent): NormalizedEvent {
  const bytes = Buffer.from(row.buffer, row.byteOffset, row.byteLength);
  return JSON.parse(bytes.toString('utf8', from, to)) as NormalizedEvent;
}
