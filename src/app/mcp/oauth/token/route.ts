import { exchangeTokens } from '#product/oauth/exchange-tokens.ts';
import { getServices } from '#product/services.ts';
import { answerOauth, answerUncached } from '../answer-oauth.ts';

/** Source: https://www.rfc-editor.org/rfc/rfc6749#section-3.2 */
export async function POST(request: Request): Promise<Response> {
  return answerOauth(request, 'invalid_request', async (text) => {
    const { ok, body } = await exchangeTokens(getServices(), new URLSearchParams(text));
    return answerUncached(body, ok ? 200 : 400);
  });
}
