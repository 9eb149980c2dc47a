import { z } from 'zod';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { invalid } from '#lib/errors.ts';
import { ownValue } from '#lib/own-value.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '#lib/time.ts';
import { getOutcomeSeries } from '#product/stats/get-outcome-series.ts';
import { alignRange } from '#product/time-buckets.ts';
import { findProject, type ProjectParams } from './find-project.ts';

const RESOLUTIONS_MS: Readonly<Record<string, number>> = { '1h': HOUR_MS, '1d': DAY_MS };
/** What each name counts. */
const STATS: Readonly<Record<string, (outcome: string) => boolean>> = {
  received: () => true,
  rejected: (outcome) => outcome === 'rate_limited' || outcome === 'invalid',
  blacklisted: (outcome) => outcome === 'filtered',
};
const CATEGORIES: ReadonlySet<string> = new Set(['error', 'default', 'security']);

const PROJECT_STATS = {
  summary: 'Counts the errors of a project over time',
  scopes: ['org:read'],
  query: {
    resolution: z.string().describe('The size of a bucket: 1h or 1d'),
    stat: z.string().describe('What is counted: received, rejected or blacklisted'),
    until: z.string().describe('The end, in Unix seconds'),
    since: z.string().describe('The beginning, in Unix seconds'),
  },
  answer: z.array(z.array(z.number())),
} satisfies Operation;

/**
 * Errors of a project over time, as pairs of Unix seconds and a count.
 * Source: https://docs.sentry.io/api/projects/retrieve-event-counts-for-a-project/
 */
export const projectStatsEndpoint = declare<ProjectParams>(PROJECT_STATS, async ({ caller, params, url }) => {
  const { ctx, project } = await findProject(caller, params);
  const bucketMs = readChoice(url, 'resolution', RESOLUTIONS_MS, '1h');
  const counts = readChoice(url, 'stat', STATS, 'received');
  const untilMs = readSeconds(url, 'until') ?? ctx.now();
  const sinceMs = readSeconds(url, 'since') ?? untilMs - DAY_MS;
  if (sinceMs >= untilMs) throw invalid('since must come before until', 'since');
  const range = alignRange({ fromMs: sinceMs, toMs: untilMs }, bucketMs);
  const series = (await getOutcomeSeries(ctx, { projectSlugs: [project.slug], range, bucketMs })).filter(
    ({ category, outcome }) => CATEGORIES.has(category) && counts(outcome),
  );
  const buckets = Math.ceil((range.toMs - range.fromMs) / bucketMs);
  return {
    body: Array.from({ length: buckets }, (_, index) => [
      (range.fromMs + index * bucketMs) / SECOND_MS,
      series.reduce((total, each) => total + (each.buckets[index] ?? 0), 0),
    ]),
  };
});

function readChoice<Choice>(
  url: URL,
  name: string,
  choices: Readonly<Record<string, Choice>>,
  byDefault: string,
): Choice {
  const text = url.searchParams.get(name) || byDefault;
  const choice = ownValue(choices, text);
  if (choice === undefined) {
    const names = Object.keys(choices).join(', ');
    throw invalid(`${name} "${text.slice(0, 40)}" is not supported: choose among ${names}`, name);
  }
  return choice;
}

/** Unix seconds as milliseconds. */
function readSeconds(url: URL, name: string): number | null {
  const text = url.searchParams.get(name);
  if (text === null || text === '') return null;
  if (!/^\d{1,11}(?:\.\d{1,6})?$/.test(text)) throw invalid(`${name} is a time in Unix seconds`, name);
  return Math.trunc(Number(text) * SECOND_MS);
}
