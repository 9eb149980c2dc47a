'use server';

import { z } from 'zod';
import { getRequestContext } from '#app/request-context.ts';
import { isErrataError } from '#lib/errors.ts';
import { visibleData } from '#lib/visible-text.ts';
import { tailRows } from '#product/explore/rows/explored-rows.ts';
import { QUERY_CHARACTERS_MAX } from '#product/search/syntax/parse-search.ts';
import { getTelemetry } from '#product/telemetry/telemetry.ts';
import type { DigestedLog } from '#protocol/telemetry.ts';
import { type LogLine, lineFields, toLogLine } from './log-line.ts';

const NAME = z.string().max(200);
const FOLLOWED = z.strictObject({
  organizationSlug: NAME,
  query: z.string().max(QUERY_CHARACTERS_MAX),
  projectSlugs: z.array(NAME).max(100).readonly(),
  environments: z.array(NAME).max(100).readonly(),
  columns: z.array(NAME).max(20).readonly(),
  /** Milliseconds since the epoch. */
  sinceMs: z.number().nonnegative(),
});

export type FollowedLines =
  | { ok: true; lines: readonly LogLine[]; isCut: boolean }
  | { ok: false; reason: string };

/** Lines that were written since a moment, for who follows them. */
export async function followLogsAction(input: z.input<typeof FOLLOWED>): Promise<FollowedLines> {
  const { organizationSlug, columns, sinceMs, ...question } = FOLLOWED.parse(input);
  try {
    const ctx = await getRequestContext(organizationSlug);
    const fields = lineFields(columns);
    const { rows, isCut } = await tailRows(ctx, { ...question, dataset: 'logs' }, { fields, sinceMs });
    return { ok: true, lines: rows.map((row) => toLogLine(row, fields)), isCut };
  } catch (error) {
    if (isErrataError(error)) return { ok: false, reason: error.message };
    throw error;
  }
}

const ONE = z.strictObject({ organizationSlug: NAME, projectSlug: NAME, id: NAME });

export type LoadedLog = { ok: true; log: DigestedLog } | { ok: false; reason: string };

/** Everything that was sent of one line. */
export async function loadLogAction(input: z.input<typeof ONE>): Promise<LoadedLog> {
  const { organizationSlug, ...asked } = ONE.parse(input);
  try {
    const ctx = await getRequestContext(organizationSlug);
    return { ok: true, log: visibleData(await getTelemetry(ctx, 'logs', asked)) };
  } catch (error) {
    if (isErrataError(error)) return { ok: false, reason: error.message };
    throw error;
  }
}
