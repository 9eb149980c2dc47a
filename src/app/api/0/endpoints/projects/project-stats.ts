import { z } from 'zod';
import { get, type Operation } from '#app/api/0/operation.ts';
import type { Parameter } from '#app/api/0/query.ts';
import { invalid } from '#lib/errors.ts';
import { ownValue } from '#lib/own-value.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '#lib/time.ts';
import { getOutcomeSeries } from '#product/stats/get-outcome-series.ts';
import { alignRange } from '#product/time-buckets.ts';

const RESOLUTIONS_MS: Readonly<Record<string, number>> = { '1h': HOUR_MS, '1d': DAY_MS };

/** What each name counts. */
const STATS: Readonly<Record<string, (outcome: string) => boolean>> = {
  received: () => true,
  rejected: (outcome) => outcome === 'rate_limited' || outcome === 'invalid',
  blacklisted: (outcome) => outcome === 'filtered',
};

const CATEGORIES: ReadonlySet<string> = new Set(['error', 'default', 'security']);

export const projectStatsOperations: readonly Operation[] = [
  /**
   * Errors of a project over time, as pairs of Unix seconds and a count.
   * Source: https://docs.sentry.io/api/projects/retrieve-event-counts-for-a-project/
   */
  get('projects/[org]/[project]/stats', {
    summary: "Counts a project's errors over time",
    scopes: ['org:read'],
    query: {
      resolution: choice('Bucket size: 1h or 1d', RESOLUTIONS_MS, '1h'),
      stat: choice('Statistic: received, rejected, or blacklisted', STATS, 'received'),
      until: seconds('End of the range, in Unix seconds'),
      since: seconds('Start of the range, in Unix seconds'),
    },
    answer: z.array(z.array(z.number())),
    async handle({ ctx, project, query }) {
      const { resolution: bucketMs, stat: counts } = query;
      const untilMs = query.until ?? ctx.now();
      const sinceMs = query.since ?? untilMs - DAY_MS;
      if (sinceMs >= untilMs) throw invalid('since must be before until', 'since');
      const range = alignRange({ fromMs: sinceMs, toMs: untilMs }, bucketMs);
      const series = (await getOutcomeSeries(ctx, { projectSlugs: [project.slug], range, bucketMs })).filter(
        ({ category, outcome }) => CATEGORIES.has(category) && counts(outcome),
      );
      const buckets = Math.ceil((range.toMs - range.fromMs) / bucketMs);
      return Array.from({ length: buckets }, (_, index) => [
        (range.fromMs + index * bucketMs) / SECOND_MS,
        series.reduce((total, each) => total + (each.buckets[index] ?? 0), 0),
      ]);
    },
  }),
];

/** One of the choices, named by its key. */
function choice<Choice>(
  description: string,
  choices: Readonly<Record<string, Choice>>,
  byDefault: string,
): Parameter<Choice> {
  return {
    schema: z.string().describe(description),
    read(searchParams, name) {
      const text = searchParams.get(name) || byDefault;
      const chosen = ownValue(choices, text);
      if (chosen !== undefined) return chosen;
      const names = Object.keys(choices).join(', ');
      throw invalid(`${name} "${text.slice(0, 40)}" is not supported: choose one of ${names}`, name);
    },
  };
}

/** Unix seconds as milliseconds. */
function seconds(description: string): Parameter<number | null> {
  return {
    schema: z.string().describe(description),
    read(searchParams, name) {
      const text = searchParams.get(name);
      if (text === null || text === '') return null;
      if (!/^\d{1,11}(?:\.\d{1,6})?$/.test(text))
        throw invalid(`${name} must be a time in Unix seconds`, name);
      return Math.trunc(Number(text) * SECOND_MS);
    },
  };
}
