import { randomUUID } from 'node:crypto';
import type { DestinationSender, SendResult } from '#delivery/ports/destination-sender.ts';
import { ErrataError } from '#lib/errors.ts';
import { createThrottle } from '#lib/throttle.ts';
import { audited } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import type { Destination } from '#product/destinations/destination-store.ts';
import { destinationTarget, findDestination, UNREADABLE } from '#product/destinations/destinations.ts';
import { formatMessage, testMessage } from '#product/messages/format-message.ts';
import { requireSharedObjectWrite } from '#product/shared-objects.ts';

/** Who pressed the button waits for the answer. */
const ANSWER_MS_MAX = 8_000;

/** Nobody's chat is to be filled over us. */
const byOrganization = createThrottle({ triesMax: 20, refillMs: 15_000 });

/** `reason` is a sentence that says what to do. */
export type TestResult = { deliveryId: string } & ({ kind: 'sent' } | { kind: 'failed'; reason: string });

/** Sends a real message that says it is a test, and answers within 10 s what became of it. Throws NotFound. */
export async function testDestination(
  ctx: Context,
  sender: DestinationSender,
  destinationId: number,
): Promise<TestResult> {
  requireSharedObjectWrite(ctx);
  const destination = await findDestination(ctx, destinationId);
  const retryAfterSeconds = byOrganization.take(String(ctx.organization.id));
  if (retryAfterSeconds !== null) {
    throw new ErrataError('rate_limited', `Too many tests: try again in ${retryAfterSeconds} s`, {
      retryAfterSeconds,
    });
  }
  const deliveryId = randomUUID();
  const { actor } = ctx;
  const message = testMessage(ctx, actor.kind === 'system' ? 'The operator' : actor.name);
  const parts = formatMessage(destination.kind, message, deliveryId, ctx.publicUrl);
  const result = await send(ctx, sender, destination, { deliveryId, parts });
  const error = result.kind === 'sent' ? null : 'reason' in result ? result.reason : BUSY;
  await audited(
    ctx,
    async (ctx) => {
      const { organization, stores } = ctx;
      const at = ctx.now();
      const status = 'status' in result ? result.status : null;
      const tested = {
        id: deliveryId,
        organizationId: organization.id,
        destinationId,
        summary: message.headline,
      };
      await stores.deliveries.recordTest(tested, { error, status }, at);
      if (result.kind !== 'busy')
        await stores.destinations.noteResult(organization.id, destinationId, error, at);
    },
    () => ({
      action: 'destination.test',
      target: destinationTarget(destination),
      data: { isSent: error === null },
    }),
  );
  return error === null ? { deliveryId, kind: 'sent' } : { deliveryId, kind: 'failed', reason: error };
}

const BUSY = 'Too many messages are in flight to this destination: try again in a few seconds';

async function send(
  ctx: Context,
  sender: DestinationSender,
  { id, kind, config }: Destination,
  message: Pick<Parameters<DestinationSender['send']>[0], 'deliveryId' | 'parts'>,
): Promise<SendResult> {
  const reading = await ctx.stores.destinations.readSecret(ctx.organization.id, id);
  if (reading.kind !== 'read') return { kind: 'refused', status: null, reason: UNREADABLE };
  return await sender.send({ kind, config, secret: reading.secret, ...message }, ANSWER_MS_MAX);
}
