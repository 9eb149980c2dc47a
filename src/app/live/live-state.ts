import { LIVE_BUSY_CODE } from '#lib/live-busy.ts';
import { MINUTE_MS } from '#lib/time.ts';

/**
 * `lost`: the page was connected, and is not any more. `paused`: the tab is hidden. `polling`: the server has no room for
 * another live connection.
 */
export type LiveState = 'connecting' | 'live' | 'paused' | 'lost' | 'polling';

const RECONNECT_MS = 5_000;
const RECONNECT_MS_MAX = MINUTE_MS;
const POLL_MS = 30_000;
/** Refusals in a row after which the page no longer waits for a live connection. */
const REFUSALS_BEFORE_POLLING = 2;

/** A page that was never connected goes on connecting; one that was says that it lost the connection. */
export const afterBreak = (before: LiveState): LiveState => (before === 'connecting' ? before : 'lost');

/**
 * When the page tries again after so many failures in a row: an answer that is no stream, and does not say that too many
 * are open. It does not refresh itself: without a server, that would end in the browser's own error page.
 */
export const afterFailures = (failures: number): { retryMs: number } => ({
  retryMs: Math.min(RECONNECT_MS * 2 ** (failures - 1), RECONNECT_MS_MAX),
});

/**
 * What the page does when it was told so many times in a row that too many live connections are open: it tries again, and
 * from the second time on it refreshes itself.
 */
export function afterRefusals(refusals: number): { isPolling: boolean; retryMs: number } {
  const isPolling = refusals >= REFUSALS_BEFORE_POLLING;
  return { isPolling, retryMs: isPolling ? POLL_MS : RECONNECT_MS };
}

/** What the cue says of each, and what that means. */
export const LIVE_LABELS: Readonly<Record<LiveState, { label: string; title: string }>> = {
  live: { label: 'live', title: 'New events appear automatically' },
  connecting: { label: 'connecting', title: 'Connecting for live updates' },
  lost: {
    label: 'reconnecting',
    title: 'The server is not responding: live updates resume as soon as it does',
  },
  paused: { label: 'paused', title: 'Live updates pause while the tab is hidden' },
  polling: {
    label: 'paused',
    title: `Too many live connections are open: this page refreshes every ${POLL_MS / 1_000} seconds instead`,
  },
};

/** Actions under way in this tab. */
let pending = 0;

/**
 * Runs an action while live pages hold still: the feed tells of the very change that the action makes, and a refresh
 * in that moment would throw the action's answer away.
 */
export async function holdLive<T>(action: () => Promise<T>): Promise<T> {
  pending += 1;
  try {
    return await action();
  } finally {
    pending -= 1;
  }
}

export const isLiveHeld = (): boolean => pending > 0;

/**
 * Whether the address refuses a stream because too many are open: then the server answers everything else. After any
 * other answer (the server restarts, a proxy speaks for it, the session has ended) that is not known.
 */
export async function isLiveBusy(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(url, { cache: 'no-store', signal });
    if (response.status !== 429 && response.status !== 503) {
      // It may be the stream itself by now, which has no end.
      await response.body?.cancel();
      return false;
    }
    const body: unknown = await response.json();
    return typeof body === 'object' && body !== null && 'code' in body && body.code === LIVE_BUSY_CODE;
  } catch {
    return false;
  }
}
