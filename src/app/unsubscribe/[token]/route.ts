import { unsubscribe } from '#product/notifications/unsubscribe.ts';
import { getServices } from '#product/services.ts';
import { isOneClick } from './one-click.ts';

type Params = { params: Promise<{ token: string }> };

/** The link of a mail: the page that asks first, since programs that look into mails open links as well. */
export async function GET(_request: Request, { params }: Params): Promise<Response> {
  const { token } = await params;
  return new Response(null, {
    status: 303,
    headers: {
      location: `/unsubscribe/${encodeURIComponent(token)}/choice`,
      'referrer-policy': 'no-referrer',
    },
  });
}

/** The button of a mail program: without a session, the link alone says who and what. */
export async function POST(request: Request, { params }: Params): Promise<Response> {
  const { token } = await params;
  if (!(await isOneClick(request))) {
    return answer(400, 'Send List-Unsubscribe=One-Click, or open the address in a browser.');
  }
  const subscribed = await unsubscribe(getServices(), token);
  if (!subscribed) return answer(404, 'This link switches nothing off any more.');
  return answer(200, 'Switched off.');
}

const answer = (status: number, text: string): Response =>
  new Response(`${text}\n`, { status, headers: { 'content-type': 'text/plain; charset=utf-8' } });
