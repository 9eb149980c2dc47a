import { z } from 'zod';
import { HOUR_MS, MINUTE_MS } from '#lib/time.ts';
import type { Range } from '#product/time-buckets.ts';

const UNIT_MS: Readonly<Record<string, number>> = { h: HOUR_MS, d: 24 * HOUR_MS, w: 7 * 24 * HOUR_MS };
/** Events are kept no longer. */
const PERIOD_DAYS_MAX = 90;
/** Times of events may be this far in the future. */
const CLOCK_AHEAD_MS = MINUTE_MS;
/** Rows of one answer: with at most 400 characters each it stays readable. */
const ROWS_MAX = 50;
const ROWS_DEFAULT = 20;

/** Parts of the arguments that several tools have. */
export const issueInput = z
  .string()
  .min(1)
  .max(500)
  .describe('Short ID such as WEB-3F, the number of the issue, or the URL of its page.');

export const projectInput = z
  .string()
  .min(1)
  .max(50)
  .optional()
  .describe('Slug of a project. Defaults to all projects.');

export const environmentInput = z
  .string()
  .min(1)
  .max(100)
  .optional()
  .describe('Name of an environment, such as production. Defaults to all environments.');

export const periodInput = z
  .string()
  .regex(/^[1-9]\d{0,3}[hdw]$/, 'use a period like 24h, 14d or 4w')
  .refine((text) => periodMs(text) <= PERIOD_DAYS_MAX * UNIT_MS.d!, `at most ${PERIOD_DAYS_MAX}d are kept`)
  .describe(`How far back, such as 24h, 14d or 4w, at most ${PERIOD_DAYS_MAX}d.`);

export const limitInput = z
  .number()
  .int()
  .min(1)
  .max(ROWS_MAX)
  .default(ROWS_DEFAULT)
  .describe(`Number of rows to return, at most ${ROWS_MAX}.`);

export const cursorInput = z
  .string()
  .max(1_000)
  .optional()
  .describe('The cursor at the end of the previous answer.');

const OFFSET_MAX = 10_000;

/** What every search of stored rows is asked with; `searched` describes the query. */
export const questionInputs = (searched: string, periodDefault: string) => ({
  query: z.string().max(4_096).default('').describe(searched),
  project: projectInput,
  environment: environmentInput,
  period: periodInput.default(periodDefault),
  limit: limitInput,
  offset: z
    .number()
    .int()
    .min(0)
    .max(OFFSET_MAX)
    .default(0)
    .describe('Offset of the first group to return when grouped.'),
  cursor: cursorInput,
});

/** The question of `questionInputs`. */
export const questionOf = (
  { query, project, environment, period }: QuestionInput,
  nowMs: number,
): { query: string; projectSlugs: string[]; environments: string[]; range: Range } => ({
  query,
  projectSlugs: project ? [project] : [],
  environments: environment ? [environment] : [],
  range: rangeOf(period, nowMs),
});

type QuestionInput = Pick<
  z.output<z.ZodObject<ReturnType<typeof questionInputs>>>,
  'query' | 'project' | 'environment' | 'period'
>;

/** Up to now, and what programs sent whose clocks are ahead. */
export const rangeOf = (period: string, nowMs: number): Range => ({
  fromMs: nowMs - periodMs(period),
  toMs: nowMs + CLOCK_AHEAD_MS,
});

const periodMs = (text: string): number => Number(text.slice(0, -1)) * (UNIT_MS[text.slice(-1)] ?? 0);

/** Which event of an issue; absent for the recommended one. */
export const eventInput = z
  .string()
  .max(40)
  .optional()
  .describe('recommended (default), latest, oldest, or the ID of an event in the issue.');
