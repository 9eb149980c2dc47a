import { DAY_MS } from '#lib/time.ts';
import { eventScope } from '#product/visible-projects.ts';
import type { NormalizedEvent } from '#protocol/event.ts';
import type { TelemetryCursor, TelemetryPage } from '#storage/ports/telemetry.ts';
import { FILES_FOLDER } from '../folder-format.ts';
import type { RecordOf } from '../records.ts';
import { type ExportScope, timeOf } from './export-scope.ts';

/** Attachments of one day and project whose names are kept while its events are read; the oldest of more are left out. */
const ATTACHMENTS_PER_DAY_MAX = 200_000;
const ATTACHMENTS_PER_PAGE = 1_000;
const ATTACHMENTS_PER_EVENT_MAX = 100;

type Attachments = RecordOf<'event'>['attachments'];

/** Events by project and day of arrival, oldest day first; payloads as they are stored: normalized and scrubbed. */
export async function* exportEvents(scope: ExportScope): AsyncGenerator<RecordOf<'event'>> {
  const { ctx, projects, options } = scope;
  const { regroupEvents } = ctx.stores;
  for (const { id, slug } of projects) {
    const days = await regroupEvents.listDays(ctx.organization.id, id, options.fromMs);
    let done = 0;
    for (const { day } of days.toReversed()) {
      const beginMs = Date.parse(day);
      if (beginMs >= options.toMs || beginMs + DAY_MS <= options.fromMs) continue;
      const attachments = await listAttachments(scope, id, beginMs);
      const place = { sinceMs: options.fromMs, after: null };
      for await (const block of regroupEvents.readDay(ctx.organization.id, id, day, place)) {
        options.signal.throwIfAborted();
        const issues = await ctx.stores.exports.findIssueIds(id, [...new Set(block.map(({ hash }) => hash))]);
        for (const { eventId, hash, receivedAt, payload } of block) {
          if (receivedAt >= options.toMs) continue;
          const found = payload ?? (await readColumns(scope, id, eventId));
          if (found === null) continue;
          const issueId = issues.get(hash);
          yield {
            kind: 'event',
            id: eventId,
            project: String(id),
            issue: issueId === undefined ? null : String(issueId),
            receivedAt: timeOf(receivedAt),
            payload: { ...found },
            attachments: attachments.get(eventId) ?? [],
          };
        }
        done += block.length;
        options.progress(`events of ${slug}: ${done.toLocaleString('en')}`);
      }
    }
  }
}

/** What is known of an event whose body was left out. */
async function readColumns(
  { ctx }: ExportScope,
  projectId: number,
  eventId: string,
): Promise<NormalizedEvent | null> {
  const found = await ctx.stores.events.findEvent(eventScope(ctx, [projectId]), eventId);
  return found?.payload ?? null;
}

/** Of the events that arrived on a day; those of a crash are in the same envelope, so they arrive together. */
async function listAttachments(
  { ctx }: ExportScope,
  projectId: number,
  fromMs: number,
): Promise<ReadonlyMap<string, Attachments>> {
  const byEvent = new Map<string, Attachments>();
  let before: TelemetryCursor | null = null;
  for (let read = 0; read < ATTACHMENTS_PER_DAY_MAX; ) {
    const page: TelemetryPage<'attachments'> = await ctx.stores.telemetry.list(
      'attachments',
      eventScope(ctx, [projectId]),
      { limit: ATTACHMENTS_PER_PAGE, before, range: { fromMs, toMs: fromMs + DAY_MS } },
    );
    for (const { eventId, name, contentType, type, blobKey, bytes } of page.rows) {
      const file = { path: `${FILES_FOLDER}/${blobKey}`, bytes, sha256: null };
      const attachment = { name, contentType: contentType || null, type: type || null, file };
      byEvent.set(eventId, [...(byEvent.get(eventId) ?? []), attachment].slice(0, ATTACHMENTS_PER_EVENT_MAX));
    }
    read += page.rows.length;
    before = page.next;
    if (before === null) return byEvent;
  }
  return byEvent;
}
