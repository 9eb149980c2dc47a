import type { ChangeFeed } from '#storage/ports/digest.ts';

const HEARTBEAT_MS = 20_000;
/** The browser connects anew afterwards; by then rights may have changed. */
const CONNECTION_MS_MAX = 10 * 60_000;
const CONNECTIONS_MAX = 1_000;
/** Events that may wait for a slow reader; more are dropped, since one change is like the next. */
const WAITING_MAX = 16;

let connections = 0;

/**
 * What changes in the given projects, as server-sent events, until the reader leaves or ten minutes have passed.
 * null when there are too many readers already.
 */
export function followChanges(
  changes: ChangeFeed,
  {
    organizationId,
    projectIds,
    signal,
  }: { organizationId: number; projectIds: ReadonlySet<number>; signal: AbortSignal },
): ReadableStream<Uint8Array> | null {
  if (connections >= CONNECTIONS_MAX) return null;
  const encoder = new TextEncoder();
  let stop = () => {};
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        connections += 1;
        const send = (text: string) => {
          if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(text));
        };
        send('retry: 3000\n\n: connected\n\n');
        const unsubscribe = changes.subscribe((change) => {
          if (change.organizationId !== organizationId) return;
          const seen = change.projectIds.filter((id) => projectIds.has(id));
          if (seen.length > 0) send(`event: change\ndata: ${JSON.stringify({ projectIds: seen })}\n\n`);
        });
        const heartbeat = setInterval(() => send(': still here\n\n'), HEARTBEAT_MS);
        const end = setTimeout(() => {
          stop();
          controller.close();
        }, CONNECTION_MS_MAX);
        let isStopped = false;
        stop = () => {
          if (isStopped) return;
          isStopped = true;
          connections -= 1;
          unsubscribe();
          clearInterval(heartbeat);
          clearTimeout(end);
        };
        signal.addEventListener('abort', () => stop(), { once: true });
      },
      cancel() {
        stop();
      },
    },
    { highWaterMark: WAITING_MAX },
  );
}
