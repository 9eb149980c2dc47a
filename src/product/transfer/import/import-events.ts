import { setTimeout as delay } from 'node:timers/promises';
import { isErrataError, unavailable } from '#lib/errors.ts';
import { DAY_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import type { EventSink, ImportedItem } from '../event-sink.ts';
import type { EventRecord } from '../issue-records.ts';
import type { TransferSource } from '../transfer-source.ts';
import { requireProject } from './import-projects.ts';
import { count, note } from './import-report.ts';
import type { ImportState } from './import-state.ts';

/** Events that are handed over before it is waited for them, and the bytes of their payloads. */
const BATCH_EVENTS_MAX = 200;
const BATCH_BYTES_MAX = 16 * 1024 * 1024;
/** Days on which they arrived: each is a part of its own on disk. */
const BATCH_DAYS_MAX = 50;
/** Of the attachments of one event; the others are left out. */
const ATTACHMENT_BYTES_MAX = 32 * 1024 * 1024;
/** How long digest may take for a batch before the import stops. */
const WAIT_MS_MAX = 10 * 60_000;
const LOOK_EVERY_MS = { first: 100, max: 2_000 } as const;

export type EventImporter = {
  add(record: EventRecord): Promise<void>;
  /** Everything that was added is in when it resolves. */
  flush(): Promise<void>;
  /** As `flush`, and digest has counted them to their issues. */
  finish(): Promise<void>;
};

/**
 * Hands events to digest and waits until they are stored; what their grouping hash is then belongs to their issue. An event that an earlier
 * run has brought is left out, also when it was stopped before it could note that.
 */
export function createEventImporter(
  ctx: Context,
  state: ImportState & { transferId: number },
  deps: {
    sink: EventSink;
    openFile: TransferSource['openFile'];
    /** Events a second; null for no limit. */
    rate: number | null;
    signal: AbortSignal;
  },
): EventImporter {
  let batch: EventRecord[] = [];
  let bytes = 0;
  const days = new Set<number>();
  let freeAtMs = 0;

  async function flush(): Promise<void> {
    const records = [...new Map(batch.map((record) => [keyOf(record), record])).values()];
    batch = [];
    bytes = 0;
    days.clear();
    if (records.length === 0) return;
    const known = await ctx.stores.transfers.listTargets(state.transferId, 'event', records.map(keyOf));
    const fresh = records.filter((record) => !known.has(keyOf(record)));
    // Digest had not stored them when an earlier run stopped waiting, which may have been too soon.
    const missed = records.filter((record) => known.get(keyOf(record)) === null);
    const sought = [...fresh, ...missed];
    const stored = new Map(sought.length === 0 ? [] : await findHashes(sought));
    const late = missed.filter((record) => stored.has(hereOf(record)));
    count(state.report, 'event', 'unchanged', known.size - late.length);
    if (fresh.length + late.length === 0) return;
    const missing = fresh.filter((record) => !stored.has(hereOf(record)));
    for (const record of missing) {
      deps.signal.throwIfAborted();
      await keepRate();
      await append(record);
    }
    for (const [id, hash] of await waitFor(missing)) stored.set(id, hash);
    await noteStored([...fresh, ...late], stored);
  }

  const hereOf = ({ project, id }: EventRecord): string => `${requireProject(state, project).id}:${id}`;

  const findHashes = (records: readonly EventRecord[]): Promise<ReadonlyMap<string, string>> =>
    ctx.stores.events.findFormerHashes(
      records.map(({ project, id, receivedAt }) => ({
        projectId: requireProject(state, project).id,
        eventId: id,
        receivedAt: Date.parse(receivedAt),
      })),
    );

  async function keepRate(): Promise<void> {
    if (deps.rate === null) return;
    const nowMs = performance.now();
    freeAtMs = Math.max(freeAtMs, nowMs) + 1_000 / deps.rate;
    if (freeAtMs - nowMs > 1_000 / deps.rate) {
      await delay(freeAtMs - 1_000 / deps.rate - nowMs, undefined, { signal: deps.signal });
    }
  }

  async function append(record: EventRecord): Promise<void> {
    const { id: projectId, keyId } = requireProject(state, record.project);
    const event = {
      organizationId: ctx.organization.id,
      projectId,
      keyId: keyId ?? 0,
      eventId: record.id,
      receivedAtMs: Date.parse(record.receivedAt),
      items: [...eventItems(record), ...(await readAttachments(record))],
    };
    const untilMs = performance.now() + WAIT_MS_MAX;
    for (;;) {
      try {
        return await deps.sink.append(event);
      } catch (error) {
        if (!isErrataError(error) || error.code !== 'unavailable' || performance.now() > untilMs) throw error;
        await delay(LOOK_EVERY_MS.max, undefined, { signal: deps.signal });
      }
    }
  }

  async function readAttachments(record: EventRecord): Promise<ImportedItem[]> {
    const items: ImportedItem[] = [];
    let left = ATTACHMENT_BYTES_MAX;
    for (const { name, contentType, type, file } of record.attachments) {
      const content = file.bytes > left ? null : await readWhole(file.path, left);
      if (content === null) {
        const reason = `The attachment ${name} could not be read, or is too large, and was left out`;
        note(state.report, { kind: 'event', id: record.id, name: record.id, result: 'failed', reason });
        continue;
      }
      left -= content.length;
      const facts = {
        filename: name,
        ...(contentType !== null && { contentType }),
        ...(type !== null && { attachmentType: type }),
      };
      items.push({ type: 'attachment', payload: content, facts });
    }
    return items;
  }

  async function readWhole(path: string, bytesMax: number): Promise<Buffer | null> {
    try {
      const chunks: Buffer[] = [];
      let length = 0;
      for await (const chunk of await deps.openFile(path)) {
        length += chunk.length;
        if (length > bytesMax) return null;
        chunks.push(chunk);
      }
      return Buffer.concat(chunks);
    } catch (error) {
      if (isErrataError(error) && error.code === 'not_found') return null;
      throw error;
    }
  }

  /** Those that digest has stored; it has worked on the others when this resolves, and left them out. */
  async function waitFor(records: readonly EventRecord[]): Promise<ReadonlyMap<string, string>> {
    let found: ReadonlyMap<string, string> = new Map();
    if (records.length === 0) return found;
    await poll(async () => {
      // Asked before the events are: what is stored afterwards was still on its way.
      const isDrained = await deps.sink.isDrained();
      found = await findHashes(records);
      return found.size === records.length || isDrained;
    });
    return found;
  }

  async function poll(isReady: () => Promise<boolean>): Promise<void> {
    const untilMs = performance.now() + WAIT_MS_MAX;
    for (
      let waitMs: number = LOOK_EVERY_MS.first;
      !(await isReady());
      waitMs = Math.min(waitMs * 2, LOOK_EVERY_MS.max)
    ) {
      if (performance.now() > untilMs) {
        throw unavailable(
          'Imported events are not digested: check that the server runs, then import again to continue',
        );
      }
      await delay(waitMs, undefined, { signal: deps.signal });
    }
  }

  async function noteStored(
    records: readonly EventRecord[],
    stored: ReadonlyMap<string, string>,
  ): Promise<void> {
    const hashes = records.flatMap((record) => {
      const hash = stored.get(hereOf(record));
      if (hash === undefined || record.issue === null) return [];
      return [{ sourceId: record.issue, projectId: requireProject(state, record.project).id, hash }];
    });
    await ctx.stores.issueImports.addHashes(state.transferId, hashes);
    await ctx.stores.transfers.noteTargets(
      state.transferId,
      'event',
      records.map((record) => ({ sourceId: keyOf(record), target: stored.get(hereOf(record)) ?? null })),
    );
    for (const record of records) {
      if (stored.has(hereOf(record))) count(state.report, 'event', 'created');
      else noteLost(record);
    }
  }

  function noteLost({ id }: EventRecord): void {
    count(state.report, 'event', 'failed');
    const reason = 'Digest did not store it: see Stats for inbound filters, and errata quarantine list';
    note(state.report, { kind: 'event', id, name: id, result: 'failed', reason });
  }

  return {
    async add(record) {
      batch.push(record);
      bytes += JSON.stringify(record.payload).length;
      days.add(Math.floor(Date.parse(record.receivedAt) / DAY_MS));
      const isFull =
        batch.length >= BATCH_EVENTS_MAX || bytes >= BATCH_BYTES_MAX || days.size >= BATCH_DAYS_MAX;
      if (isFull) await flush();
    },
    flush,
    async finish() {
      await flush();
      // Events are stored before they are counted.
      await poll(() => deps.sink.isDrained());
    },
  };
}

const keyOf = ({ project, id }: EventRecord): string => `${project}:${id}`;

/** Feedback is an item of its own; its event is made anew. */
const eventItems = ({ id, payload }: EventRecord): ImportedItem[] => [
  {
    type: payload.type === 'feedback' ? 'feedback' : 'event',
    payload: Buffer.from(JSON.stringify({ ...payload, event_id: id })),
  },
];
