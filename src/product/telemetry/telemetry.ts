import type { Readable } from 'node:stream';
import { z } from 'zod';
import { invalid, notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { checkLimit, decodeCursor, encodeCursor } from '#product/cursor.ts';
import { requireRight } from '#product/permissions.ts';
import { checkRange, type Range } from '#product/time-buckets.ts';
import { eventScope, selectProject } from '#product/visible-projects.ts';
import { parseEventId } from '#protocol/event-id.ts';
import type { TelemetryKind, TelemetryRows } from '#protocol/telemetry.ts';
import type { TelemetryCursor, TelemetryFilter } from '#storage/ports/telemetry.ts';

export type TelemetryListInput = {
  projectSlug: string;
  cursor: string | null;
  limit: number;
  /** By the clock of the kind; absent or null is any time. */
  range?: Range | null;
  filter?: Partial<Record<TelemetryFilter, string>>;
};

/** Rows of one kind of a project, newest first. */
export async function listTelemetry<Kind extends TelemetryKind>(
  ctx: Context,
  kind: Kind,
  input: TelemetryListInput,
): Promise<{ rows: readonly TelemetryRows[Kind][number][]; nextCursor: string | null }> {
  requireRight(ctx, 'event:read');
  checkLimit(input.limit);
  const range = input.range ?? null;
  if (range) checkRange(range);
  const filter = checkTelemetryFilter(input.filter ?? {});
  const before = decodeCursor(input.cursor, TELEMETRY_PLACE);
  const project = await selectProject(ctx, input.projectSlug);
  const { rows, next } = await ctx.stores.telemetry.list(kind, eventScope(ctx, [project.id]), {
    limit: input.limit,
    before,
    range,
    filter,
  });
  return { rows, nextCursor: next && encodeCursor(next) };
}

/** Kinds of which one row is found by its id, as people call them. */
const NOUNS = {
  transactions: 'transaction',
  profiles: 'profile',
  attachments: 'attachment',
  feedback: 'feedback',
  logs: 'log',
  metrics: 'metric value',
} as const satisfies Partial<Record<keyof TelemetryRows, string>>;

/** Throws NotFound when the project has no such row. */
export async function getTelemetry<Kind extends keyof typeof NOUNS>(
  ctx: Context,
  kind: Kind,
  input: { projectSlug: string; id: string },
): Promise<TelemetryRows[Kind][number]> {
  requireRight(ctx, 'event:read');
  const project = await selectProject(ctx, input.projectSlug);
  const id = parseEventId(input.id);
  const row = id === null ? null : await ctx.stores.telemetry.find(kind, eventScope(ctx, [project.id]), id);
  if (!row) {
    throw notFound(
      `Project ${project.slug} has no ${NOUNS[kind]} "${input.id.slice(0, 40)}": it may still be processing, or past its retention period`,
    );
  }
  return row;
}

type Filter = Partial<Record<TelemetryFilter, string>>;

const IDS: ReadonlySet<string> = new Set<TelemetryFilter>([
  'traceId',
  'eventId',
  'replayId',
  'associatedEventId',
  'transactionId',
  'profilerId',
]);

/** With ids as they are stored, whichever way they were written. Throws Invalid, naming the one that is no id. */
export function checkTelemetryFilter(filter: Filter): Filter {
  return Object.fromEntries(
    Object.entries(filter).map(([name, value]) => {
      if (!IDS.has(name)) return [name, value];
      const id = parseEventId(value);
      if (id === null) throw invalid(`${name} must be 32 hexadecimal digits`, name);
      return [name, id];
    }),
  );
}

/** A place in a list of telemetry, newest first: the last row of the page before. */
export const TELEMETRY_PLACE: z.ZodType<TelemetryCursor> = z.object({
  at: z.number().int().nonnegative(),
  id: z.string().max(128),
});

/** The body of a row that the caller was given: an attachment, a replay segment, a profile. Throws NotFound when it is gone. */
export async function openBlob(
  ctx: Context,
  { blobKey }: { blobKey: string },
): Promise<{ content: Readable; bytes: number }> {
  requireRight(ctx, 'event:read');
  const { blobs } = ctx.stores;
  const bytes = await blobs.size(blobKey);
  // The range bounds what is sent to what is announced.
  const content = bytes === null ? null : await blobs.read(blobKey, { from: 0, to: bytes });
  if (bytes === null || content === null) {
    throw notFound('The content is no longer stored: it may be past its retention period');
  }
  return { content, bytes };
}
