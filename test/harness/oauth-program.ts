import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';

/** A program that asks a person over the browser, as the SDK has it, with all that it remembers. */
export type OauthProgram = OAuthClientProvider & {
  /** The address that it opened in the browser last; null before. */
  opened: URL | null;
  remembered: OAuthTokens | null;
};

export function createOauthProgram(redirectUrl: string, options: { scope?: string } = {}): OauthProgram {
  let client: OAuthClientInformationMixed | undefined;
  let verifier = '';
  const program: OauthProgram = {
    opened: null,
    remembered: null,
    redirectUrl,
    clientMetadata: {
      client_name: 'A test agent',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      ...options,
    },
    state: () => 'the state of the program',
    clientInformation: () => client,
    saveClientInformation(information) {
      client = information;
    },
    tokens: () => program.remembered ?? undefined,
    saveTokens(tokens) {
      program.remembered = tokens;
    },
    redirectToAuthorization(url) {
      program.opened = url;
    },
    saveCodeVerifier(text) {
      verifier = text;
    },
    codeVerifier: () => verifier,
  };
  return program;
}
