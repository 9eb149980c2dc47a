import { messageOf } from '#lib/errors.ts';
import type { Log } from '#lib/log.ts';
import { LookPace } from '#lib/look-pace.ts';
import type { DeliveryParts } from '#product/deliveries/delivery-parts.ts';
import { sendDelivery, takeDue } from '#product/deliveries/send-delivery.ts';
import { withinTime } from './within-time.ts';

/** Messages under way in this process. */
const AT_ONCE_MAX = 16;
/** Mails of them: all go to one server, and when it is slow others do not wait for it. */
const MAILS_AT_ONCE_MAX = 4;
/** Reports of the mails: they come all at once, and ask for much. */
const REPORTS_AT_ONCE_MAX = 2;
const LOOK_EVERY_MS = 1_000;
const RETRY_AFTER_MS = 5_000;
/** What is under way when the process is to stop may end by itself for so long; then its lease ends it. */
const STOP_MS_MAX = 5_000;

type TakenDelivery = Parameters<typeof sendDelivery>[1];

/**
 * Sends messages as soon as they are due, until `signal` says stop. Not a schedule of the job queue: a message is to be
 * there seconds after what it is about. `subscribe` calls when one may be due; without a call it looks each second, and less
 * often when there was none for a while.
 */
export async function runDeliveryWorker(
  parts: DeliveryParts,
  { subscribe, log }: { subscribe: (listener: () => void) => () => void; log: Log },
  signal: AbortSignal,
): Promise<void> {
  const underWay = new Map<Promise<void>, TakenDelivery>();
  const pace = new LookPace(LOOK_EVERY_MS);
  let wake = () => {};
  const unsubscribe = subscribe(() => {
    pace.found();
    wake();
  });
  signal.addEventListener('abort', () => wake(), { once: true });
  while (!signal.aborted) {
    let waitMs = RETRY_AFTER_MS;
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    try {
      const free = AT_ONCE_MAX - underWay.size;
      const taken = free > 0 ? await takeDue(parts, free, freeMails()) : [];
      for (const delivery of taken) start(delivery);
      if (taken.length > 0) pace.found();
      waitMs = pace.waitMs;
    } catch (error) {
      log.warn({ error: messageOf(error) }, 'Due messages could not be read; they remain queued');
    }
    await withinTime(woken, waitMs);
  }
  unsubscribe();
  await withinTime(Promise.all(underWay.keys()), STOP_MS_MAX);

  function freeMails(): { mailsMax: number; reportsMax: number } {
    const taken = [...underWay.values()];
    return {
      mailsMax: MAILS_AT_ONCE_MAX - taken.filter(({ receiver }) => receiver.kind === 'user').length,
      reportsMax: REPORTS_AT_ONCE_MAX - taken.filter(({ kind }) => kind === 'report').length,
    };
  }

  function start(delivery: TakenDelivery): void {
    const { id, organizationId, kind, attempts } = delivery;
    const sending = sendDelivery(parts, delivery)
      .then(({ state, reason }) => {
        // The reason may name hosts and nothing that lets anybody post.
        if (reason !== null)
          log.info({ id, organizationId, kind, attempts, state, reason }, 'A message was not sent');
      })
      .catch((error: unknown) => {
        log.warn({ id, error: messageOf(error) }, 'A message was abandoned for now; its lease expires soon');
      })
      .finally(() => {
        underWay.delete(sending);
        wake();
      });
    underWay.set(sending, delivery);
  }
}
