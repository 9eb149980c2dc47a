import { LIVE_BUSY_CODE } from '#lib/live-busy.ts';
import { MINUTE_MS } from '#lib/time.ts';
import type { ChangeFeed } from '#storage/ports/feeds.ts';

const HEARTBEAT_MS = 20_000;
/** The browser connects anew afterwards; by then rights may have changed. */
const CONNECTION_MS_MAX = 10 * MINUTE_MS;
const CONNECTIONS_MAX = 1_000;
/** Tabs in sight, over all browsers and sessions of a person. */
const CONNECTIONS_OF_USER_MAX = 20;
/** Events that may wait for a slow reader; more are dropped, since one change is like the next. */
const WAITING_MAX = 16;

/** Each reader reloads when it is notified; if there are more of them, some are notified later. */
const READERS_NOTIFIED_PER_SECOND_MAX = 25;
const NOTIFY_DELAY_MS_MAX = 30_000;

let connections = 0;
const connectionsOfUser = new Map<string, number>();

/** Who has as many live connections as it may: this person, or all together. */
type LiveRefusal = { busy: 'user' | 'server' };

/**
 * What changes in the given projects, as server-sent events, until the reader leaves or ten minutes have passed, or
 * `isAllowed`, which is asked at every heartbeat, says that the session or the membership has ended.
 */
export function followChanges(
  changes: ChangeFeed,
  reader: {
    userId: string;
    organizationId: number;
    projectIds: ReadonlySet<number>;
    signal: AbortSignal;
    isAllowed: () => Promise<boolean>;
  },
): ReadableStream<Uint8Array> | LiveRefusal {
  const { userId, organizationId, projectIds, signal, isAllowed } = reader;
  const ofUser = connectionsOfUser.get(userId) ?? 0;
  if (ofUser >= CONNECTIONS_OF_USER_MAX) return { busy: 'user' };
  if (connections >= CONNECTIONS_MAX) return { busy: 'server' };
  const encoder = new TextEncoder();
  let stop = () => {};
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        countConnection(userId, 1);
        const send = (text: string) => {
          if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(text));
        };
        send('retry: 3000\n\n: connected\n\n');
        const changed = collectChanges((ids) =>
          send(`event: change\ndata: ${JSON.stringify({ projectIds: ids })}\n\n`),
        );
        const unsubscribe = changes.subscribe((change) => {
          if (change.organizationId !== organizationId) return;
          changed.add(change.projectIds.filter((id) => projectIds.has(id)));
        });
        let isStopped = false;
        const close = () => {
          if (isStopped) return;
          stop();
          controller.close();
        };
        const heartbeat = setInterval(() => {
          send(': still here\n\n');
          // A store that is away says nothing about the session.
          isAllowed().then(
            (isStillAllowed) => isStillAllowed || close(),
            () => {},
          );
        }, HEARTBEAT_MS);
        const end = setTimeout(close, CONNECTION_MS_MAX);
        stop = () => {
          if (isStopped) return;
          isStopped = true;
          countConnection(userId, -1);
          unsubscribe();
          changed.stop();
          clearInterval(heartbeat);
          clearTimeout(end);
        };
        // Who left before this began sends no abort any more.
        if (signal.aborted) stop();
        else signal.addEventListener('abort', () => stop(), { once: true });
      },
      cancel() {
        stop();
      },
    },
    { highWaterMark: WAITING_MAX },
  );
}

function countConnection(userId: string, change: 1 | -1): void {
  connections += change;
  const ofUser = (connectionsOfUser.get(userId) ?? 0) + change;
  if (ofUser > 0) connectionsOfUser.set(userId, ofUser);
  else connectionsOfUser.delete(userId);
}

/**
 * Collects changes and notifies of them together. The more readers there are, the longer each waits: they are spread
 * over that time, so that one change does not make all of them send requests at once.
 */
function collectChanges(notify: (projectIds: number[]) => void) {
  const waiting = new Set<number>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let notifiedAt = Number.NEGATIVE_INFINITY;

  function pauseMs(): number {
    const spreadMs = Math.min((connections * 1_000) / READERS_NOTIFIED_PER_SECOND_MAX, NOTIFY_DELAY_MS_MAX);
    const sinceMs = performance.now() - notifiedAt;
    return sinceMs > spreadMs ? Math.random() * spreadMs : spreadMs - sinceMs;
  }

  return {
    add(projectIds: readonly number[]): void {
      for (const id of projectIds) waiting.add(id);
      if (waiting.size === 0 || timer) return;
      timer = setTimeout(() => {
        timer = undefined;
        notifiedAt = performance.now();
        notify([...waiting]);
        waiting.clear();
      }, pauseMs());
    },
    stop: () => clearTimeout(timer),
  };
}

const BUSY = {
  user: { status: 429, detail: 'You have too many live connections open: close some of the tabs' },
  server: { status: 503, detail: 'Too many live connections are open: try again later' },
} as const;
export const LIVE_RETRY_SECONDS = 30;

/** The answer when there is no room for another live connection. */
export function refuseLive({ busy }: LiveRefusal): Response {
  const { status, detail } = BUSY[busy];
  return Response.json(
    { detail, code: LIVE_BUSY_CODE },
    { status, headers: { 'retry-after': String(LIVE_RETRY_SECONDS) } },
  );
}
