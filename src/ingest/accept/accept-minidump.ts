import { REQUEST_BOUNDS } from '../request-bounds.ts';
import type { ItemFacts, RecordOutcome } from '../spool-record.ts';
import { isRefused, requireOpenKey } from './authenticate.ts';
import { type Collected, type CollectedItem, makeEventId } from './collected.ts';
import { buildCrashEvent, type CrashForm } from './crash-event.ts';
import { DumpSink } from './dump-sink.ts';
import { type IngestAnswer, type IngestDeps, type IngestRequest, Refusal } from './ingest-request.ts';
import {
  AttachmentParts,
  isMultipart,
  MINIDUMP_FIELD,
  type MultipartFile,
  MultipartReader,
} from './multipart.ts';
import { type Reading, spoolRequest, tooLargeEvent } from './spool-request.ts';

const EVENT_FIELD = '__sentry-event';
const BREADCRUMB_FIELDS: ReadonlySet<string> = new Set(['__sentry-breadcrumb1', '__sentry-breadcrumb2']);
const VIEW_HIERARCHY_FIELD = 'view-hierarchy.json';

/**
 * Accepts `POST /api/<project>/minidump/`: a dump as the body, or in a form with other files and with event data.
 * Source: relay-server/src/endpoints/minidump.rs.
 */
export async function acceptMinidump(deps: IngestDeps, request: IngestRequest): Promise<IngestAnswer> {
  const key = await requireOpenKey(deps, request, 'event');
  if (isRefused(key)) return key;
  const contentType = request.message.headers['content-type'] ?? '';
  return spoolRequest(deps, request, key, 'event', async (reading) => {
    const parts = new AttachmentParts(reading, key.projectId);
    return isMultipart(contentType) ? readForm(reading, parts, contentType) : readRaw(reading, parts);
  });
}

async function readRaw(reading: Reading, parts: AttachmentParts): Promise<Collected> {
  const { body, write } = parts.open();
  const sink = new DumpSink(write, reading.received);
  await reading.take(REQUEST_BOUNDS.attachmentBytesMax, (chunk) => sink.write(chunk));
  await sink.end();
  return collectCrash([dumpItem(body, 'Minidump')], { event: null, breadcrumbs: [], fields: [] });
}

async function readForm(reading: Reading, parts: AttachmentParts, contentType: string): Promise<Collected> {
  const items: CollectedItem[] = [];
  const fields: [string, string][] = [];
  const breadcrumbs: Uint8Array[] = [];
  let event: Uint8Array | null = null;
  let hasDump = false;
  const multipart = new MultipartReader(contentType, {
    async onFile(file) {
      if (file.field === MINIDUMP_FIELD && !hasDump) {
        hasDump = true;
        const { body, write } = parts.open();
        items.push(dumpItem(body, withoutPacking(file.filename || 'Minidump')));
        const sink = new DumpSink(write, reading.received);
        for await (const part of file.stream) await sink.write(part as Buffer);
        await sink.end();
      } else if (file.field === EVENT_FIELD) {
        event ??= await readSmall(reading, file);
      } else if (BREADCRUMB_FIELDS.has(file.field)) {
        breadcrumbs.push(await readSmall(reading, file));
      } else {
        const { body, write } = parts.open();
        items.push({ type: 'attachment', body, facts: factsOf(file) });
        for await (const part of file.stream) write(part as Buffer);
      }
    },
    onField(name, value) {
      reading.lease.charge(value.length);
      fields.push([name, value]);
    },
  });
  await multipart.read(reading);
  if (!hasDump) {
    throw new Refusal(400, `The form has no ${MINIDUMP_FIELD} part: send the dump in it`, 'missing_minidump');
  }
  return collectCrash(items, { event, breadcrumbs, fields });
}

/** Throws Refusal. */
function collectCrash(items: readonly CollectedItem[], form: CrashForm): Collected {
  const { payload, eventId, unreadable } = buildCrashEvent(form);
  if (payload.length > REQUEST_BOUNDS.eventBytesMax) throw tooLargeEvent();
  const outcomes = unreadable.map(
    (): RecordOutcome => ({
      category: 'attachment',
      outcome: 'invalid',
      reason: 'invalid_crash_data',
      quantity: 1,
    }),
  );
  return {
    eventId: eventId ?? makeEventId(),
    sentAtMs: null,
    items: [{ type: 'event', body: payload }, ...items],
    outcomes,
  };
}

const dumpItem = (body: CollectedItem['body'], filename: string): CollectedItem => ({
  type: 'attachment',
  body,
  facts: { filename, contentType: 'application/x-dmp', attachmentType: 'event.minidump' },
});

/** Once unpacked, the name should not say that it is packed. */
const withoutPacking = (filename: string): string => filename.replace(/\.(?:gz|xz|bz2|zst)$/, '');

const factsOf = ({ field, filename, contentType }: MultipartFile): ItemFacts => ({
  ...(filename && { filename }),
  contentType,
  ...(field === VIEW_HIERARCHY_FIELD && { attachmentType: 'event.view_hierarchy' }),
});

/** Event data in a file is bounded as an event. */
async function readSmall(reading: Reading, { stream }: MultipartFile): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of stream) {
    bytes += (part as Buffer).length;
    if (bytes > REQUEST_BOUNDS.eventBytesMax) throw tooLargeEvent();
    reading.lease.charge((part as Buffer).length);
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts);
}
