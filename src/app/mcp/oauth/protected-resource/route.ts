import { mcpResource, OAUTH_SCOPES } from '#product/oauth/oauth-address.ts';
import { getServices } from '#product/services.ts';

export const dynamic = 'force-dynamic';

/** Who gives tokens for the MCP server. Source: https://www.rfc-editor.org/rfc/rfc9728 */
export function GET(): Response {
  const { publicUrl } = getServices();
  return Response.json(
    {
      resource: mcpResource(publicUrl),
      resource_name: 'Errata',
      authorization_servers: [publicUrl],
      scopes_supported: OAUTH_SCOPES,
      bearer_methods_supported: ['header'],
    },
    { headers: { 'access-control-allow-origin': '*' } },
  );
}
