import * as Sentry from '@sentry/nextjs';

const ANY_ORIGIN = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'baggage, sentry-trace',
};

export const OPTIONS = () => new Response(null, { status: 204, headers: ANY_ORIGIN });

export async function POST(request) {
  const { article } = await request.json();
  Sentry.logger.info('passing an order on', { article });
  const answer = await fetch(`${process.env.ORDERS_URL}/orders/${article}`, { method: 'POST' });
  return Response.json(await answer.json(), { status: answer.status, headers: ANY_ORIGIN });
}
