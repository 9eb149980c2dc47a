import { OAUTH_PATHS, OAUTH_SCOPES } from '#product/oauth/oauth-address.ts';
import { getServices } from '#product/services.ts';

export const dynamic = 'force-dynamic';

/** Source: https://www.rfc-editor.org/rfc/rfc8414 */
export function GET(): Response {
  const { publicUrl } = getServices();
  return Response.json(
    {
      issuer: publicUrl,
      authorization_endpoint: `${publicUrl}${OAUTH_PATHS.authorize}`,
      token_endpoint: `${publicUrl}${OAUTH_PATHS.token}`,
      registration_endpoint: `${publicUrl}${OAUTH_PATHS.register}`,
      revocation_endpoint: `${publicUrl}${OAUTH_PATHS.revoke}`,
      scopes_supported: OAUTH_SCOPES,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
    },
    { headers: { 'access-control-allow-origin': '*' } },
  );
}
