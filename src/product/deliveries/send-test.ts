import { randomUUID } from 'node:crypto';
import type { DestinationSender, SendResult } from '#delivery/ports/destination-sender.ts';
import type { Mailer } from '#delivery/ports/mailer.ts';
import type { Receiver } from '#domain/alerts/who-is-notified.ts';
import { ErrataError } from '#lib/errors.ts';
import { createThrottle } from '#lib/throttle.ts';
import { actingUserId } from '#product/acting-user.ts';
import { audited } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import type { Destination } from '#product/destinations/destination-store.ts';
import { destinationTarget, findDestination, UNREADABLE } from '#product/destinations/destinations.ts';
import type { AlertMessage } from '#product/messages/alert-message.ts';
import { draftMail } from '#product/messages/compose-mail.ts';
import { formatMessage, testMessage } from '#product/messages/format-message.ts';
import { requireSharedObjectWrite } from '#product/shared-objects.ts';

/** Who pressed the button waits for the answer. */
const ANSWER_MS_MAX = 8_000;

/** Nobody's chat is to be filled over us. */
const byOrganization = createThrottle({ triesMax: 20, refillMs: 15_000 });

export type TestSenders = { mailer: Pick<Mailer, 'send'>; destinationSender: DestinationSender };

/** `reason` is a sentence that says what to do. */
export type TestResult = { deliveryId: string } & ({ kind: 'sent' } | { kind: 'failed'; reason: string });

/** Sends a real message that says it is a test, and answers within 10 s what became of it. Throws NotFound. */
export async function testDestination(
  ctx: Context,
  destinationSender: DestinationSender,
  destinationId: number,
): Promise<TestResult> {
  requireSharedObjectWrite(ctx);
  return await sendDestinationTest(ctx, { destinationSender }, destinationId);
}

/** For verbs that have asked for their own right. Throws NotFound. */
export async function sendDestinationTest(
  ctx: Context,
  { destinationSender }: Pick<TestSenders, 'destinationSender'>,
  destinationId: number,
): Promise<TestResult> {
  const destination = await findDestination(ctx, destinationId);
  takeTest(ctx);
  const { id, message } = openTest(ctx);
  const result = await post(ctx, destinationSender, destination, { deliveryId: id, message });
  const error = result.kind === 'sent' ? null : 'reason' in result ? result.reason : BUSY;
  const status = 'status' in result ? result.status : null;
  await audited(
    ctx,
    async (ctx) => {
      await record(ctx, { id, message }, { kind: 'destination', destinationId }, { error, status });
      if (result.kind === 'busy') return;
      await ctx.stores.destinations.noteResult(ctx.organization.id, destinationId, error, ctx.now());
    },
    () => ({
      action: 'destination.test',
      target: destinationTarget(destination),
      data: { isSent: error === null },
    }),
  );
  return resultOf(id, error);
}

/** As above, by email to whoever asks. Throws Forbidden for who has no address. */
export async function sendMailTest(
  ctx: Context,
  { mailer }: Pick<TestSenders, 'mailer'>,
): Promise<TestResult & { to: string }> {
  const userId = actingUserId(ctx);
  const user = await ctx.stores.accounts.findUser(userId);
  if (!user) throw new Error(`User ${userId} was expected but not found`);
  takeTest(ctx);
  const { id, message } = openTest(ctx);
  const mail = draftMail({
    subject: `[${ctx.organization.slug}] ${message.headline}`,
    heading: message.headline,
    paragraphs: message.intro === null ? [] : [message.intro],
    button: message.link,
    footnote: 'You are receiving this email because you asked for a test.',
  });
  const result = await mailer.send({ to: user.email, id, ...mail });
  const outcome =
    result.kind === 'sent'
      ? { error: null, status: 250 }
      : { error: result.reason, status: result.status ?? null };
  await record(ctx, { id, message }, { kind: 'user', userId }, outcome);
  return { ...resultOf(id, outcome.error), to: user.email };
}

const BUSY = 'Too many messages are in flight to this destination: try again in a few seconds';

function takeTest({ organization }: Context): void {
  const retryAfterSeconds = byOrganization.take(String(organization.id));
  if (retryAfterSeconds === null) return;
  throw new ErrataError('rate_limited', `Too many tests: try again in ${retryAfterSeconds} s`, {
    retryAfterSeconds,
  });
}

type Test = { id: string; message: AlertMessage };

const openTest = (ctx: Context): Test => ({
  id: randomUUID(),
  message: testMessage(ctx, ctx.actor.kind === 'system' ? 'The operator' : ctx.actor.name),
});

/** What failed before is tried again at once when the test arrived. */
async function record(
  { stores, organization, now }: Context,
  { id, message }: Test,
  receiver: Receiver,
  outcome: { error: string | null; status: number | null },
): Promise<void> {
  const tested = { id, organizationId: organization.id, receiver, summary: message.headline };
  await stores.deliveries.recordTest(tested, outcome, now());
  if (outcome.error === null) await stores.deliveries.retryNow(organization.id, receiver, now());
}

const resultOf = (deliveryId: string, error: string | null): TestResult =>
  error === null ? { deliveryId, kind: 'sent' } : { deliveryId, kind: 'failed', reason: error };

async function post(
  ctx: Context,
  sender: DestinationSender,
  { id, kind, config }: Destination,
  { deliveryId, message }: { deliveryId: string; message: AlertMessage },
): Promise<SendResult> {
  const reading = await ctx.stores.destinations.readSecret(ctx.organization.id, id);
  if (reading.kind !== 'read') return { kind: 'refused', status: null, reason: UNREADABLE };
  const parts = formatMessage(kind, message, deliveryId, ctx.publicUrl);
  return await sender.send({ kind, config, secret: reading.secret, deliveryId, parts }, ANSWER_MS_MAX);
}
