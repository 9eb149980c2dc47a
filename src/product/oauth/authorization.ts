import { forbidden, invalid } from '#lib/errors.ts';
import { createOneTimeSecret, hashSecret } from '#lib/one-time-secret.ts';
import { notifyOwner, type Self } from '#product/accounts/own-account/self.ts';
import { audited } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import type { Services } from '#product/services.ts';
import { expandScopes, type Scope } from '#protocol/scopes.ts';
import { mcpResource, READ_SCOPES, readScopes } from './oauth-address.ts';
import type { OauthClient } from './oauth-store.ts';
import { isRegisteredRedirect } from './redirect-uri.ts';
import { isClientId } from './register-client.ts';

const STATE_CHARACTERS_MAX = 2_000;
/** SHA-256 in base64url. */
const CHALLENGE = /^[\w-]{43}$/;

/** What a program asks a person for. */
export type Authorization = {
  client: OauthClient;
  redirectUri: string;
  /** Given back as it came; null when there was none. */
  state: string | null;
  scopes: readonly Scope[];
  challenge: string;
};

export type ReadAuthorization =
  | { kind: 'asks'; authorization: Authorization }
  /**
   * The program asks for what there is not, and is told so where `redirectTo` leads: by the person, since anybody may
   * register a program, and what it registered may lead anywhere.
   * Source: https://www.rfc-editor.org/rfc/rfc9700#section-4.11.2
   */
  | { kind: 'refused'; problem: string; redirectUri: string; redirectTo: string };

/**
 * Reads what stands in the address that a program opens in a browser. Throws Invalid while it is not known where to send
 * people back to: then only they may be told, since anybody can make such an address.
 * Source: https://www.rfc-editor.org/rfc/rfc6749#section-4.1.1
 */
export async function readAuthorization(
  { stores, publicUrl }: Pick<Services, 'stores' | 'publicUrl'>,
  parameters: URLSearchParams,
): Promise<ReadAuthorization> {
  const clientId = parameters.get('client_id') ?? '';
  const client = isClientId(clientId) ? await stores.oauth.findClient(clientId) : null;
  if (!client) {
    throw invalid(
      'The application that sent you here is not registered: remove Errata and its saved sign-in from the application, then add it again',
      'client_id',
    );
  }
  const redirectUri = parameters.get('redirect_uri') ?? onlyOne(client.redirectUris) ?? '';
  if (!isRegisteredRedirect(redirectUri, client.redirectUris)) {
    throw invalid('The application requested a redirect URI that it did not register', 'redirect_uri');
  }
  const state = parameters.get('state');
  const refuse = (error: string, description: string): ReadAuthorization => ({
    kind: 'refused',
    problem: description,
    redirectUri,
    redirectTo: redirectWith(
      { redirectUri, state: shortState(state), publicUrl },
      { error, error_description: description },
    ),
  });
  if ((state?.length ?? 0) > STATE_CHARACTERS_MAX) return refuse('invalid_request', 'state is too long');
  if (parameters.get('response_type') !== 'code') {
    return refuse('unsupported_response_type', 'response_type must be code');
  }
  const challenge = parameters.get('code_challenge') ?? '';
  if (!CHALLENGE.test(challenge) || parameters.get('code_challenge_method') !== 'S256') {
    return refuse('invalid_request', 'code_challenge is required, with the method S256');
  }
  if (!isOwnResource(parameters.get('resource'), publicUrl)) {
    return refuse('invalid_target', `resource must be ${mcpResource(publicUrl)}`);
  }
  const scopes = readScopes(parameters.get('scope'));
  return { kind: 'asks', authorization: { client, redirectUri, state, scopes, challenge } };
}

/** Absent, or the MCP server; a slash at its end does not matter. */
export function isOwnResource(resource: string | null, publicUrl: string): boolean {
  if (resource === null) return true;
  const named = resource.replace(/\/$/, '');
  return named === mcpResource(publicUrl) || named === publicUrl;
}

/** The address to return to, with the answer. Source: https://www.rfc-editor.org/rfc/rfc9207 for `iss`. */
export function redirectWith(
  { redirectUri, state, publicUrl }: { redirectUri: string; state: string | null; publicUrl: string },
  answer: Readonly<Record<string, string>>,
): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
  if (state !== null) url.searchParams.set('state', state);
  url.searchParams.set('iss', publicUrl);
  return url.href;
}

const onlyOne = (list: readonly string[]): string | null => (list.length === 1 ? (list[0] ?? null) : null);

const shortState = (state: string | null): string | null =>
  state !== null && state.length <= STATE_CHARACTERS_MAX ? state : null;

const CODE_MS = 60_000;

/** Approves the request, read-only with `readsOnly`. Returns the redirect address. Throws Forbidden for non-users. */
export async function approveAuthorization(
  ctx: Context,
  authorization: Authorization,
  { readsOnly }: { readsOnly: boolean },
): Promise<string> {
  requireRight(ctx, 'event:read');
  const { actor, organization, publicUrl } = ctx;
  if (actor.kind !== 'user') throw forbidden('Only a signed-in user can authorize an application');
  const { client, redirectUri, challenge, state } = authorization;
  const asked = expandScopes(authorization.scopes);
  const scopes = readsOnly ? READ_SCOPES.filter((scope) => asked.has(scope)) : authorization.scopes;
  const code = createOneTimeSecret();
  const now = ctx.now();
  await audited(
    ctx,
    (ctx) =>
      ctx.stores.oauth.addGrant({
        clientId: client.id,
        userId: actor.userId,
        organizationId: organization.id,
        scopes,
        codeHash: hashSecret(code),
        code: { challenge, redirectUri },
        codeExpiresAt: now + CODE_MS,
        createdAt: now,
      }),
    (id) => ({
      action: 'oauth-grant.create',
      target: { kind: 'oauth_grant', id, name: client.name },
      data: { scopes },
    }),
  );
  return redirectWith({ redirectUri, state, publicUrl }, { code });
}

/** As `approveAuthorization`, and the person is told by mail. */
export async function connectProgram(
  self: Pick<Self, 'mailer' | 'publicUrl' | 'session'>,
  ctx: Context,
  authorization: Authorization,
  choice: { readsOnly: boolean },
): Promise<string> {
  const redirectTo = await approveAuthorization(ctx, authorization, choice);
  notifyOwner(self, self.session.email, `The application “${authorization.client.name}” was connected`);
  return redirectTo;
}

/** The address that leads back to the program, which is told that the person said no. */
export const denyAuthorization = (
  { redirectUri, state }: Pick<Authorization, 'redirectUri' | 'state'>,
  publicUrl: string,
): string =>
  redirectWith(
    { redirectUri, state, publicUrl },
    { error: 'access_denied', error_description: 'The user denied access' },
  );
