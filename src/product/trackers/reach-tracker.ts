import type { OpenTracker, TrackerAnswer, TrackerClient } from '#delivery/ports/tracker-client.ts';
import { invalid, unavailable } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import type { Tracker } from './tracker-store.ts';
import { trackerNotFound } from './trackers.ts';

/** A tracker of the organization with its token. Throws NotFound, and Unavailable when the token cannot be read. */
export async function reachTracker(
  ctx: Context,
  openTracker: OpenTracker,
  trackerId: number,
): Promise<{ tracker: Tracker; client: TrackerClient }> {
  const { trackers } = ctx.stores;
  const [tracker, reading] = await Promise.all([
    trackers.find(ctx.organization.id, trackerId),
    trackers.readSecrets(ctx.organization.id, trackerId),
  ]);
  if (!tracker || reading.kind === 'absent') throw trackerNotFound(ctx, trackerId);
  if (reading.kind === 'unreadable') {
    throw unavailable(
      `The token of ${tracker.name} was encrypted with a different ERRATA_SECRET: paste it again in the integration settings`,
    );
  }
  const { kind, url, login } = tracker;
  return { tracker, client: openTracker({ kind, url, login, token: reading.secrets.token }) };
}

/** Throws Invalid with what the tracker said. */
export function answeredValue<Value>(answer: TrackerAnswer<Value>): Value {
  if (answer.kind === 'done') return answer.value;
  throw invalid(answer.reason);
}
