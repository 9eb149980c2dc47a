/** The little of the provider that the tests use; it comes without types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  type Context = {
    oidc: {
      client: { clientId: string };
      session: { accountId: string };
      requestParamScopes: ReadonlySet<string>;
    };
  };
  type Grant = { addOIDCScope(scopes: string): void; save(): Promise<string> };

  export class Provider {
    constructor(issuer: string, configuration: Readonly<Record<string, unknown>>);
    readonly Grant: new (input: {
      clientId: string;
      accountId: string;
    }) => Grant;
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: { login: { accountId: string } },
      options: { mergeWithLastSubmission: boolean },
    ): Promise<void>;
    on(event: string, listener: (...args: unknown[]) => void): this;
  }

  export type { Context };
}
