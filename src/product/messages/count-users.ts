import type { Issue } from '#domain/issues/issue.ts';
import { isErrataError } from '#lib/errors.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import { DAY_MS, MINUTE_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { findIssueEvents } from '#product/issues/issue-events.ts';
import { eventScope } from '#product/visible-projects.ts';
import type { AlertEventStore, WindowCount } from '#storage/ports/alert-events.ts';

/** Older events cost more than their number suggests. */
const USERS_DAYS = 14;
/** A message goes without these numbers when they take longer. */
const ANSWER_MS_MAX = 3_000;
/** However many messages mention an issue, its users are counted once in this time. */
const KEPT_MS = MINUTE_MS;
/** Issues whose answer is remembered, about 100 bytes each. */
const ISSUES_MAX = 10_000;

/** `users` null: they were too many to be counted in time. */
type Known = { users: number | null; at: number };

const memories = new WeakMap<AlertEventStore, Map<number, Known>>();

/** Users of each issue, as they were counted less than a minute ago; those that could not be counted are not there. */
export async function countUsers(
  ctx: Context,
  issues: readonly Issue[],
): Promise<ReadonlyMap<number, number>> {
  const { alertEvents } = ctx.stores;
  const memory = memories.get(alertEvents) ?? new Map<number, Known>();
  memories.set(alertEvents, memory);
  const nowMs = ctx.now();
  const open = issues.filter(({ id }) => {
    const known = memory.get(id);
    return !known || nowMs - known.at >= KEPT_MS;
  });
  const counts = open.length > 0 ? await askUsers(ctx, open, nowMs) : null;
  for (const [index, { id }] of open.entries()) {
    remember(memory, id, { users: counts?.[index]?.users ?? null, at: nowMs });
  }
  return new Map(
    issues.flatMap(({ id }) => {
      const users = memory.get(id)?.users ?? null;
      return users === null ? [] : [[id, users] as const];
    }),
  );
}

async function askUsers(
  ctx: Context,
  issues: readonly Issue[],
  nowMs: number,
): Promise<readonly WindowCount[] | null> {
  const toMs = nowMs + DAY_MS;
  const range = { fromMs: toMs - (USERS_DAYS + 1) * DAY_MS, toMs };
  const scope = eventScope(ctx, [...new Set(issues.map(({ projectId }) => projectId))]);
  const counting = async () =>
    ctx.stores.alertEvents.countWindow(scope, await findIssueEvents(ctx, issues), {
      range,
      environment: null,
    });
  try {
    const counts = await orUnavailable(counting(), ANSWER_MS_MAX);
    return counts.ok ? counts.value : null;
  } catch (error) {
    if (isErrataError(error) && error.code === 'invalid') return null;
    throw error;
  }
}

function remember(memory: Map<number, Known>, issueId: number, known: Known): void {
  memory.delete(issueId);
  memory.set(issueId, known);
  if (memory.size <= ISSUES_MAX) return;
  const [oldest = 0] = memory.keys();
  memory.delete(oldest);
}
