import { z } from 'zod';
import { invalid } from '#lib/errors.ts';
import { OAUTH_SCOPES } from '#product/oauth/oauth-address.ts';
import { registerClient } from '#product/oauth/register-client.ts';
import { getServices } from '#product/services.ts';
import { answerOauth, answerUncached } from '../answer-oauth.ts';

/** What else a program says of itself is of no use here. */
const REGISTRATION = z.object({
  client_name: z.string().max(1_000).nullish(),
  redirect_uris: z.array(z.string().max(2_000)).max(50),
});

/** Source: https://www.rfc-editor.org/rfc/rfc7591 */
export async function POST(request: Request): Promise<Response> {
  return answerOauth(request, 'invalid_client_metadata', async (text, ipAddress) => {
    const parsed = REGISTRATION.safeParse(parseJson(text));
    if (!parsed.success) throw invalid('Send redirect_uris, a list of addresses, and client_name as JSON');
    const client = await registerClient(getServices(), {
      name: parsed.data.client_name ?? null,
      redirectUris: parsed.data.redirect_uris,
      ipAddress,
    });
    return answerUncached(
      {
        client_id: client.id,
        client_id_issued_at: Math.floor(client.createdAt / 1_000),
        client_name: client.name,
        redirect_uris: client.redirectUris,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        // A program on somebody's machine keeps no secret: the code verifier is what proves it.
        token_endpoint_auth_method: 'none',
        scope: OAUTH_SCOPES.join(' '),
      },
      201,
    );
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
