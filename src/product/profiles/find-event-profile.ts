import { HOUR_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { listTraceTransactions } from '#product/traces/list-trace-transactions.ts';
import { eventScope, selectProjects } from '#product/visible-projects.ts';

/** The profile that was taken while an event happened. */
export type EventProfile =
  | { kind: 'transaction'; profileId: string }
  /** What a continuous profiler saw of a thread (null: of all) in a range of milliseconds since the epoch. */
  | {
      kind: 'continuous';
      profilerId: string;
      threadId: string | null;
      range: { fromMs: number; toMs: number };
    };

const PROFILES_MAX = 100;
const US_PER_MS = 1_000;
/** Profiles and transactions that began longer before the event are not looked for. */
const BEFORE_MS = HOUR_MS;
/** Events are told in whole milliseconds. */
const TOLERANCE_MS = 1;

/** The profile of the transaction in which an event happened; null when there is none. Throws NotFound for a project. */
export async function findEventProfile(
  ctx: Context,
  { projectSlug, traceId, atMs }: { projectSlug: string; traceId: string; atMs: number },
): Promise<EventProfile | null> {
  const scope = eventScope(ctx, await selectProjects(ctx, [projectSlug]));
  const isWithin = (fromMs: number, toMs: number) =>
    fromMs <= atMs + TOLERANCE_MS && atMs <= toMs + TOLERANCE_MS;
  const range = { fromMs: Math.max(0, atMs - BEFORE_MS), toMs: atMs + TOLERANCE_MS + 1 };
  const [profiles, transactions] = await Promise.all([
    ctx.stores.telemetry.list('profiles', scope, {
      limit: PROFILES_MAX,
      before: null,
      range,
      filter: { traceId },
    }),
    listTraceTransactions(ctx, { traceId, range }),
  ]);
  const taken = profiles.rows.filter(({ profilerId }) => profilerId === null);
  const own = taken.find(({ occurredAt, durationMs }) =>
    isWithin(occurredAt, occurredAt + (durationMs ?? 0)),
  );
  if (own) return { kind: 'transaction', profileId: own.profileId };
  const around = transactions
    .filter((transaction) => transaction.projectSlug === projectSlug)
    .map(({ startedAtUs, endedAtUs, ...transaction }) => ({
      ...transaction,
      range: { fromMs: startedAtUs / US_PER_MS, toMs: endedAtUs / US_PER_MS },
    }))
    .filter(({ range: { fromMs, toMs } }) => isWithin(fromMs, toMs));
  const profiled = around.findLast(({ profilerId }) => profilerId !== null);
  if (profiled?.profilerId) {
    const { profilerId, threadId, range } = profiled;
    return { kind: 'continuous', profilerId, threadId, range };
  }
  // A profile is as long as its samples, and on a busy machine the last one is taken before the transaction ends.
  const cut = taken.find(({ occurredAt, transactionName }) =>
    around.some(
      ({ name, range: { fromMs, toMs } }) =>
        (transactionName ?? name) === name && fromMs - TOLERANCE_MS <= occurredAt && occurredAt <= toMs,
    ),
  );
  return cut ? { kind: 'transaction', profileId: cut.profileId } : null;
}
