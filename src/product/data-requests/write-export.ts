import { tarEnd, tarHeader, tarPadding } from '#lib/tar.ts';
import type { Stores } from '#product/stores.ts';
import { PERSON_KINDS, type PersonKind } from '#storage/ports/person-data.ts';
import type { ClaimedRequest } from './store/data-request-store.ts';

/** Rows read at once: an event has up to a megabyte. */
const ROWS_PER_PAGE = 200;
/** One file of lines. */
const FILE_BYTES_MAX = 8 * 1024 * 1024;
const BLOBS_PER_PAGE = 500;
const FORMAT = 'errata-data-export-1';

/** Kinds that are the person's; the others are copies for the use of the store. */
const EXPORTED: readonly PersonKind[] = PERSON_KINDS.filter(
  (kind) => kind !== 'stagedEvents' && kind !== 'searchValues',
);

/**
 * Writes everything that is noted for the request into an archive: a manifest, files of JSON lines for each kind, and the
 * files that rows name. An older archive of the request is replaced when this resolves.
 */
export async function writeExport(
  stores: Stores,
  request: ClaimedRequest,
  now: () => number,
): Promise<{ bytes: number; rows: number }> {
  const counts: Record<string, number> = {};
  const { bytes } = await stores.exportFiles.write(request.id, archiveOf(stores, request, counts, now()));
  return { bytes, rows: Object.values(counts).reduce((sum, count) => sum + count, 0) };
}

async function* archiveOf(
  stores: Stores,
  request: ClaimedRequest,
  counts: Record<string, number>,
  nowMs: number,
): AsyncGenerator<Uint8Array> {
  for (const kind of EXPORTED) yield* linesOf(kind, rowsOf(stores, request.id, kind), counts, nowMs);
  for (const [kind, places] of Map.groupBy(stores.personTexts.places, (place) => place.kind)) {
    const rows = async function* () {
      for (const place of places) {
        for (let offset = 0; ; offset += ROWS_PER_PAGE) {
          const { organizationId, identifiers } = request;
          const page = await stores.personTexts.list(place, organizationId, identifiers, {
            limit: ROWS_PER_PAGE,
            offset,
          });
          for (const { row } of page) yield { table: place.table, ...row };
          if (page.length < ROWS_PER_PAGE) break;
        }
      }
    };
    yield* linesOf(kind, rows(), counts, nowMs);
  }
  yield* quarantineOf(stores, request, counts, nowMs);
  yield* blobsOf(stores, request.id, counts, nowMs);
  const manifest = {
    format: FORMAT,
    request: request.id,
    organization: request.organizationSlug,
    writtenAt: new Date(nowMs).toISOString(),
    identifiers: request.identifiers,
    counts,
  };
  yield* fileOf('manifest.json', Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`), nowMs);
  yield tarEnd();
}

async function* rowsOf(stores: Stores, requestId: number, kind: PersonKind): AsyncGenerator<object> {
  for (let after = ''; ; ) {
    const page = await stores.personRows.read(requestId, kind, after, ROWS_PER_PAGE);
    let last: string | null = null;
    for (const { row, rowId } of page) {
      last = rowId;
      yield withParsed(row);
    }
    // Hidden rows are noted and cannot be read: a page without any says nothing of what follows.
    const next = last ?? (await stores.personRows.skip(requestId, kind, after, ROWS_PER_PAGE));
    if (next === null) return;
    after = next;
  }
}

/** Columns that hold JSON as JSON. */
function withParsed(row: Readonly<Record<string, unknown>>): object {
  const parsed = Object.entries(row).map(([column, value]) => {
    if (typeof value !== 'string' || !/^[[{]/.test(value)) return [column, value];
    try {
      return [column, JSON.parse(value) as unknown];
    } catch {
      return [column, value];
    }
  });
  return Object.fromEntries(parsed) as object;
}

async function* quarantineOf(
  stores: Stores,
  { organizationId, identifiers }: ClaimedRequest,
  counts: Record<string, number>,
  nowMs: number,
): AsyncGenerator<Uint8Array> {
  const found: { id: number; record: Buffer }[] = [];
  await stores.personTexts.listQuarantine(
    organizationId,
    identifiers,
    async (id, record) => void found.push({ id, record }),
  );
  for (const { id, record } of found) yield* fileOf(`quarantine/${id}.record`, record, nowMs);
  if (found.length > 0) counts.quarantine = found.length;
}

async function* blobsOf(
  stores: Stores,
  requestId: number,
  counts: Record<string, number>,
  nowMs: number,
): AsyncGenerator<Uint8Array> {
  for (let after = ''; ; ) {
    const keys = await stores.personRows.listBlobKeys(requestId, after, BLOBS_PER_PAGE);
    for (const key of keys) {
      const [bytes, content] = [await stores.blobs.size(key), await stores.blobs.read(key)];
      if (bytes === null || content === null) continue;
      yield tarHeader(`files/${key}`, bytes, nowMs);
      for await (const chunk of content) yield chunk as Uint8Array;
      yield tarPadding(bytes);
      counts.files = (counts.files ?? 0) + 1;
    }
    after = keys.at(-1) ?? after;
    if (keys.length < BLOBS_PER_PAGE) return;
  }
}

/** In files of a few megabytes, since an archive says of each how long it is before it begins. */
async function* linesOf(
  kind: string,
  rows: AsyncIterable<object>,
  counts: Record<string, number>,
  nowMs: number,
): AsyncGenerator<Uint8Array> {
  let lines: Buffer[] = [];
  let bytes = 0;
  let number = 0;
  const take = function* () {
    if (bytes === 0) return;
    number += 1;
    yield* fileOf(`${kind}/${String(number).padStart(5, '0')}.jsonl`, Buffer.concat(lines), nowMs);
    lines = [];
    bytes = 0;
  };
  for await (const row of rows) {
    const line = Buffer.from(`${JSON.stringify(row)}\n`);
    lines.push(line);
    bytes += line.length;
    counts[kind] = (counts[kind] ?? 0) + 1;
    if (bytes >= FILE_BYTES_MAX) yield* take();
  }
  yield* take();
}

function* fileOf(name: string, content: Buffer, nowMs: number): Generator<Uint8Array> {
  yield tarHeader(name, content.length, nowMs);
  yield content;
  yield tarPadding(content.length);
}
