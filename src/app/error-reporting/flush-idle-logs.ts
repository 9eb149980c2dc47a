/** The part of a client that logs pass through. */
export type LogClient = {
  on(hook: 'afterCaptureLog', listener: () => void): unknown;
  emit(hook: 'flush'): void;
};

/** Sends collected logs once none has come for this long. */
export const LOG_FLUSH_IDLE_MS = 5_000;

/**
 * Option for `init` that ends the SDK's own timer, which starts with the first log and is not put off by later ones.
 * It is not among the documented options of version 11.
 */
export const WITHOUT_OWN_FLUSH_TIMER = { _flushInterval: 0 };

/** Flushes logs after a silence that each further log begins anew. A full buffer is still flushed by the SDK at once. */
export function flushIdleLogs(client: LogClient): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  client.on('afterCaptureLog', () => {
    clearTimeout(timer);
    timer = setTimeout(() => client.emit('flush'), LOG_FLUSH_IDLE_MS);
  });
}
