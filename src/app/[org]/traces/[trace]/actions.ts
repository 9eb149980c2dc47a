'use server';

import { z } from 'zod';
import { getRequestContext } from '#app/request-context.ts';
import { isErrataError } from '#lib/errors.ts';
import { visibleData } from '#lib/visible-text.ts';
import { getTraceSpan } from '#product/traces/trace-outline.ts';
import type { DigestedSpan } from '#protocol/telemetry.ts';

const ID = z.string().max(100);
const ASKED = z.strictObject({ organizationSlug: ID, traceId: ID, spanId: ID });

export type LoadedSpan = { ok: true; span: DigestedSpan } | { ok: false; reason: string };

/** Everything that was sent of one span. */
export async function loadSpanAction(input: z.input<typeof ASKED>): Promise<LoadedSpan> {
  const { organizationSlug, ...asked } = ASKED.parse(input);
  try {
    const ctx = await getRequestContext(organizationSlug);
    return { ok: true, span: visibleData(await getTraceSpan(ctx, asked)) };
  } catch (error) {
    if (isErrataError(error)) return { ok: false, reason: error.message };
    throw error;
  }
}
