import { endGrantByToken } from '#product/oauth/grants.ts';
import { getServices } from '#product/services.ts';
import { answerOauth, answerUncached } from '../answer-oauth.ts';

/** Answers 200 for an unknown token as well. Source: https://www.rfc-editor.org/rfc/rfc7009 */
export async function POST(request: Request): Promise<Response> {
  return answerOauth(request, 'invalid_request', async (text) => {
    await endGrantByToken(getServices(), new URLSearchParams(text));
    return answerUncached(null);
  });
}
