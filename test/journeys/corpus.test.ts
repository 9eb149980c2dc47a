import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { type Dsn, eventEnvelope, newEventId, parseDsn, postEnvelope } from '../harness/envelope.ts';
import { findEvent, framesOf } from '../harness/find-event.ts';
import { IS_FULL } from '../harness/is-full.ts';
import { makeProject } from '../harness/shared-errata.ts';
import { ROOT } from '../harness/start-errata.ts';

const CORPUS = process.env.ERRATA_CORPUS ?? path.resolve(ROOT, '../shared/corpus');
/** Of its events, which take the same way through the server, every so many in the short run. */
const EVERY = IS_FULL ? 1 : 3;
const files = existsSync(CORPUS)
  ? readdirSync(CORPUS)
      .filter((folder) => folder.startsWith('events'))
      .flatMap((folder) => readdirSync(path.join(CORPUS, folder)).map((name) => `${folder}/${name}`))
      .filter((name) => name.endsWith('.json'))
      .sort()
      .filter((_, index) => index % EVERY === 0)
  : [];

let api: ApiClient;
let slug: string;
let dsn: Dsn;
/** What was sent of each file, and the answer. */
const sent = new Map<string, { eventId: string; answer: Awaited<ReturnType<typeof postEnvelope>> }>();

if (files.length === 0) {
  test('events of many SDKs are readable', (context) => {
    context.skip('there is no corpus of events here: name its folder in ERRATA_CORPUS');
  });
} else {
  beforeAll(async () => {
    const project = await makeProject('corpus');
    api = project.api;
    slug = project.slug;
    dsn = parseDsn(project.dsn);
    for (const file of files) sent.set(file, await send(file));
  });

  test.each(files)('%s is readable soon, with title, culprit and frames', async (file) => {
    const { eventId, answer } = sent.get(file)!;
    expect([answer.status, answer.body]).toEqual([200, { id: eventId }]);

    const { event, issue } = await findEvent(api, slug, eventId);
    expect(issue.title.trim()).not.toBe('');
    expect(event.title.trim()).not.toBe('');
    const original = read(file);
    const sentFrames = findSentFrames(original);
    expect(framesOf(event).length).toBeGreaterThanOrEqual(Math.min(sentFrames.length, 50));
    const isPlaced = sentFrames.some((frame) => frame.function || frame.module || frame.filename);
    if (isPlaced || isText(original.transaction) || isText(original.culprit))
      expect(issue.culprit).not.toBe('');
    for (const exception of findSentExceptions(original)) {
      if (isText(exception.type))
        expect(JSON.stringify(event.entries)).toContain(JSON.stringify(exception.type));
    }
  });
}

const read = (file: string) =>
  JSON.parse(readFileSync(path.join(CORPUS, file), 'utf8')) as Record<string, unknown>;

async function send(file: string) {
  const eventId = newEventId();
  const event = { ...read(file), event_id: eventId, timestamp: Date.now() / 1000 };
  return { eventId, answer: await postEnvelope(dsn, eventEnvelope(event)) };
}

type SentFrame = { function?: unknown; module?: unknown; filename?: unknown };
type SentException = { type?: unknown; stacktrace?: { frames?: unknown } | null };

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

function findSentExceptions(sent: Record<string, unknown>): SentException[] {
  return listValues(sent.exception ?? sent['sentry.interfaces.Exception']) as SentException[];
}

/** Frames of everything that may have a stack trace, in the current and the older spellings. */
function findSentFrames(sent: Record<string, unknown>): SentFrame[] {
  const holders = [...findSentExceptions(sent), ...(listValues(sent.threads) as SentException[]), sent];
  return holders.flatMap((holder) => {
    const frames = (holder as SentException).stacktrace?.frames;
    return Array.isArray(frames) ? frames.filter((frame) => frame !== null && typeof frame === 'object') : [];
  });
}

function listValues(field: unknown): unknown[] {
  if (Array.isArray(field)) return field.filter(isRecord);
  if (!isRecord(field)) return [];
  return Array.isArray(field.values) ? field.values.filter(isRecord) : [field];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
