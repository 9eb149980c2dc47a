import { messageOf } from '#lib/errors.ts';
import type { ForeignDatabase, ForeignRow } from '#storage/ports/foreign-database.ts';
import type { ReadOptions } from '../../transfer-source.ts';
import { EVENT_CHARACTERS_MAX, EVENT_PAGE_ROWS } from '../event-bounds.ts';
import { hexOf, jsonObjectOf, textOf, timeOf } from '../foreign-values.ts';
import { NIL_UUID, readPages } from '../read-by-key.ts';
import type { StepItem } from '../read-steps.ts';
import { unmapped } from '../unmapped.ts';
import type { EventFiles } from './event-files.ts';
import type { BugsinkProject } from './read-structure.ts';

/** Where reading goes on: the number of a project, when the last event of it arrived, and its ID. */
type Place = { project: number; at: string; id: string };

/** Before everything, for both kinds of database. */
const BEGINNING = '1970-01-01 00:00:00';

/** Events by project, in the order in which they were digested. A `mark` follows each page. */
export async function* readEvents(
  database: ForeignDatabase,
  projects: readonly BugsinkProject[],
  files: EventFiles | null,
  { fromMs, toMs, progress }: Pick<ReadOptions, 'fromMs' | 'toMs' | 'progress'>,
  after: string | null,
): AsyncGenerator<StepItem> {
  const begin = after === null ? null : readPlace(after);
  for (const project of projects) {
    if (begin && project.id < begin.project) continue;
    const from = begin?.project === project.id ? begin : { at: BEGINNING, id: NIL_UUID };
    let read = 0;
    const pages = readPages(
      database,
      `SELECT CAST(id AS text) AS id, CAST(digested_at AS text) AS digested_at, CAST(event_id AS text) AS event_id,
         CAST(issue_id AS text) AS issue_id, timestamp, ingested_at, platform, storage_backend,
         CASE WHEN LENGTH(data) <= ${EVENT_CHARACTERS_MAX} THEN data END AS data
         FROM events_event WHERE (digested_at, id) > ($1, $2) AND project_id = $3 ORDER BY digested_at, id`,
      {
        after: [from.at, from.id],
        keyOf: ({ digested_at, id }) => [String(digested_at), String(id)],
        parameters: [project.id],
        pageRows: EVENT_PAGE_ROWS,
      },
    );
    for await (const page of pages) {
      for (const row of page) {
        const receivedAt = timeOf(row.ingested_at);
        const atMs = Date.parse(receivedAt ?? '');
        if (receivedAt === null || atMs < fromMs || atMs >= toMs) continue;
        yield await eventOf(project, row, receivedAt, files);
      }
      read += page.length;
      progress(`events of ${project.slug}: ${read}`);
      const last = page.at(-1);
      if (last) yield { kind: 'mark', after: `${project.id}|${last.digested_at}|${last.id}` };
    }
  }
}

function readPlace(text: string): Place {
  const [project = '0', at = BEGINNING, id = NIL_UUID] = text.split('|');
  return { project: Number(project), at, id };
}

async function eventOf(
  project: BugsinkProject,
  row: ForeignRow,
  receivedAt: string,
  files: EventFiles | null,
): Promise<StepItem> {
  const eventId = hexOf(row.event_id);
  const id = hexOf(row.id) ?? String(row.id);
  const lost = (reason: string) => unmapped('event', `${project.id}/${eventId ?? id}`, null, reason);
  if (eventId === null) return lost('Its event ID is not one');
  const backend = textOf(row.storage_backend);
  let data: unknown = row.data;
  if (backend !== null) {
    if (!files) return lost('Its body is in files: name their folder with --event-storage');
    try {
      data = await files.read(backend, id);
    } catch (error) {
      return lost(`Its file cannot be read: ${messageOf(error)}`);
    }
    if (data === null)
      return lost(`There is no file with its body in the event storage, which is called ${backend}`);
  }
  if (data === null) return lost(`Its body has more than ${EVENT_CHARACTERS_MAX} characters`);
  const payload = jsonObjectOf(data);
  if (!payload) return lost('Its body is not JSON');
  return {
    kind: 'event',
    id: eventId,
    project: String(project.id),
    issue: hexOf(row.issue_id),
    receivedAt,
    payload: {
      ...payload,
      event_id: eventId,
      timestamp: payload.timestamp ?? timeOf(row.timestamp) ?? receivedAt,
      platform: payload.platform ?? textOf(row.platform) ?? 'other',
    },
    attachments: [],
  };
}
