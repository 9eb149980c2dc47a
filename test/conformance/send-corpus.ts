import { setTimeout as delay } from 'node:timers/promises';
import type { ApiClient } from '../harness/api-client.ts';
import { parseDsn } from '../harness/envelope.ts';
import { readOutcomes, subtractOutcomes, sumOutcomes } from '../harness/outcome-counts.ts';
import { listCorpusFiles, readCorpusRequest } from './corpus-requests.ts';

/** What became of one file. */
export type CorpusResult = {
  file: string;
  status: number;
  /** Why it was refused; empty otherwise. */
  detail: string;
  /** `category outcome reason` → quantity. */
  outcomes: ReadonlyMap<string, number>;
  /** Broken promises; empty when all is well. */
  problems: readonly string[];
};

const OUTCOME_WITHIN_MS = 10_000;
const READABLE_WITHIN_MS = 5_000;

/**
 * Sends every file of a corpus, `lanes` at a time, each lane into a project of its own, so that what a file leads to can
 * be told from the rest. Holds: no answer of 500 or above, every file has an outcome or the refusal that names a reason,
 * an accepted error is readable.
 */
export async function sendCorpus(
  corpus: string,
  server: { url: string; api: ApiClient; lanes: readonly { slug: string; dsn: string }[] },
): Promise<CorpusResult[]> {
  const files = listCorpusFiles(corpus);
  const results: CorpusResult[] = [];
  const next = files.values();
  await Promise.all(
    server.lanes.map(async ({ slug, dsn }) => {
      for (const file of next) {
        const result = await sendFile(corpus, file, server, slug, dsn);
        if (result) results.push(result);
      }
    }),
  );
  return results.sort((a, b) => a.file.localeCompare(b.file));
}

async function sendFile(
  corpus: string,
  file: string,
  { url, api }: { url: string; api: ApiClient },
  slug: string,
  dsn: string,
): Promise<CorpusResult | null> {
  const request = readCorpusRequest(corpus, file, parseDsn(dsn));
  if (!request) return null;
  const before = await readOutcomes(api, slug);
  const response = await fetch(`${url}${request.path}`, {
    method: 'POST',
    headers: request.headers,
    body: request.body,
  });
  const text = await response.text();
  const detail =
    response.status === 200 ? '' : (response.headers.get('x-sentry-error') ?? text.slice(0, 200));
  const problems: string[] = [];
  if (response.status >= 500) problems.push(`answered ${response.status}`);
  if (response.status >= 400 && detail === '') problems.push('refused without a reason');
  // An envelope without items leads to nothing, and nothing is what becomes of it.
  const isEmpty =
    response.status === 200 && !/"type"|form-data/.test(Buffer.from(request.body).toString('latin1'));
  let outcomes = new Map<string, number>();
  const startedAt = Date.now();
  while (!isEmpty) {
    outcomes = subtractOutcomes(await readOutcomes(api, slug), before);
    if (sumOutcomes(outcomes) > 0) break;
    if (Date.now() - startedAt > OUTCOME_WITHIN_MS) {
      problems.push('has no outcome');
      break;
    }
    await delay(100);
  }
  if (request.eventId !== null && outcomes.has('error accepted')) {
    const problem = await findUnreadable(api, slug, request.eventId);
    if (problem) problems.push(problem);
  }
  return { file, status: response.status, detail, outcomes, problems };
}

async function findUnreadable(api: ApiClient, slug: string, eventId: string): Promise<string | null> {
  const startedAt = Date.now();
  for (;;) {
    const { status } = await api.request('GET', `/api/0/projects/main/${slug}/events/${eventId}/`);
    if (status === 200) return null;
    if (Date.now() - startedAt > READABLE_WITHIN_MS) return `event ${eventId} is not readable (${status})`;
    await delay(100);
  }
}
