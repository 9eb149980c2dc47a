/** Where programs find what they need, below the public address. */
export const OAUTH_PATHS = {
  authorize: '/account/connect',
  token: '/mcp/oauth/token',
  register: '/mcp/oauth/register',
  revoke: '/mcp/oauth/revoke',
  /** RFC 9728: the address of the resource, with the well-known part before its path. */
  protectedResource: '/.well-known/oauth-protected-resource/mcp',
} as const;

/** What access tokens are for. Source: https://www.rfc-editor.org/rfc/rfc8707 */
export const mcpResource = (publicUrl: string): string => `${publicUrl}/mcp`;
