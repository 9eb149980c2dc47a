import type { ReadOptions } from '../../transfer-source.ts';
import { hexOf, textOf, timeOf } from '../foreign-values.ts';
import { objectsOf } from '../json-values.ts';
import type { StepItem } from '../read-steps.ts';
import { unmapped } from '../unmapped.ts';
import type { ApiOrganization } from './api-organization.ts';
import { pagesOf, projectsAfter } from './api-pages.ts';
import type { SentryRequests } from './api-requests.ts';
import { eventPayload } from './event-payload.ts';
import type { SentryApi } from './sentry-api.ts';

/**
 * Error events of the projects, newest first, as the API lists them, with their bodies; a `mark` follows each page. Cursors of
 * the API are offsets: what arrives meanwhile moves events to later pages, where they are read a second time.
 */
export async function* readEvents(
  api: SentryApi,
  requests: SentryRequests,
  { projects }: ApiOrganization,
  { fromMs, toMs, progress }: Pick<ReadOptions, 'fromMs' | 'toMs' | 'progress'>,
  after: string | null,
): AsyncGenerator<StepItem> {
  for (const { id, slug, from } of projectsAfter(projects, after)) {
    let read = 0;
    for await (const { rows, next } of pagesOf(api, requests.events(slug), from)) {
      let newest = 0;
      for (const row of objectsOf(rows)) {
        const eventId = hexOf(row.eventID);
        const receivedAt = timeOf(row.dateReceived) ?? timeOf(row.dateCreated);
        const payload = eventPayload(row);
        if (eventId === null || receivedAt === null || payload === null) {
          yield unmapped('event', `${id}/${row.eventID ?? row.id}`, row.title, 'It has no ID, or no time');
          continue;
        }
        const atMs = Date.parse(receivedAt);
        newest = Math.max(newest, atMs);
        if (atMs < fromMs || atMs >= toMs) continue;
        const issue = textOf(row.groupID);
        yield { kind: 'event', id: eventId, project: id, issue, receivedAt, payload, attachments: [] };
      }
      read += rows.length;
      progress(`events of ${slug}: ${read}`);
      if (next !== null) yield { kind: 'mark', after: `${id}|${next}` };
      // Everything further is older still.
      if (newest > 0 && newest < fromMs) break;
    }
  }
}
