import { isErrataError } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import {
  sendDestinationTest,
  sendMailTest,
  type TestResult,
  type TestSenders,
} from '#product/deliveries/send-test.ts';
import type { DeliveryRoute } from './delivery-health.ts';
import { requireAlertWrite } from './list-alert-rules.ts';

/** What became of a test; `to` is the address of an email. `reason` is a sentence that says what to do. */
export type RouteTest = { route: DeliveryRoute; to: string | null } & (
  | { kind: 'sent' }
  | { kind: 'failed'; reason: string }
);

/**
 * Sends a real test message on each route, by email to whoever asks: nobody else is to be mailed for a test. Answers what
 * became of each.
 */
export async function testRoutes(
  ctx: Context,
  senders: TestSenders,
  routes: readonly DeliveryRoute[],
): Promise<readonly RouteTest[]> {
  requireAlertWrite(ctx);
  return await Promise.all(routes.map((route) => testRoute(ctx, senders, route)));
}

/** That one cannot be tested does not keep the others from it. */
async function testRoute(ctx: Context, senders: TestSenders, route: DeliveryRoute): Promise<RouteTest> {
  try {
    const sent: TestResult & { to?: string } =
      route.kind === 'email'
        ? await sendMailTest(ctx, senders)
        : await sendDestinationTest(ctx, senders, route.destinationId);
    const { deliveryId: _, to = null, ...result } = sent;
    return { route, to, ...result };
  } catch (error) {
    if (!isErrataError(error)) throw error;
    return { route, to: null, kind: 'failed', reason: error.message };
  }
}
