import type { Scope } from '#protocol/scopes.ts';

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

/** What the tools of the MCP server read with. */
export const READ_SCOPES = ['org:read', 'project:read', 'event:read'] as const satisfies readonly Scope[];
/** What they change issues with. */
export const WRITE_SCOPES = ['event:write'] as const satisfies readonly Scope[];
/** All that a program can be allowed. */
export const OAUTH_SCOPES: readonly Scope[] = [...READ_SCOPES, ...WRITE_SCOPES];

const TEXT_CHARACTERS_MAX = 1_000;

/** Those of the asked ones that there are; all of them when none is asked for, or none of those is there. */
export function readScopes(text: string | null): readonly Scope[] {
  const asked = (text ?? '').slice(0, TEXT_CHARACTERS_MAX).split(' ');
  const known = OAUTH_SCOPES.filter((scope) => asked.includes(scope));
  return known.length === 0 ? OAUTH_SCOPES : known;
}
