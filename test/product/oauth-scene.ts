import { auth } from '@modelcontextprotocol/sdk/client/auth.js';
import * as metadata from '#app/mcp/oauth/authorization-server/route.ts';
import * as resource from '#app/mcp/oauth/protected-resource/route.ts';
import * as register from '#app/mcp/oauth/register/route.ts';
import * as revoke from '#app/mcp/oauth/revoke/route.ts';
import * as token from '#app/mcp/oauth/token/route.ts';
import type { Context } from '#product/context.ts';
import { type Authorization, approveAuthorization, readAuthorization } from '#product/oauth/authorization.ts';
import { provideServices } from '#product/services.ts';
import { connectMcp } from '../harness/mcp-client.ts';
import { createOauthProgram, type OauthProgram } from '../harness/oauth-program.ts';
import { openMcpScene } from './mcp-scene.ts';
import { PUBLIC_URL } from './open-product.ts';
import { servicesOf } from './product-services.ts';

export const SERVER = `${PUBLIC_URL}/mcp`;
/** Where programs wait for the answer. */
export const BACK = 'http://127.0.0.1:7777/callback';

export type OauthScene = Awaited<ReturnType<typeof openOauthScene>>;

/** Of all scenes of the process: the server remembers what an address has tried. */
let visitor = 0;

/** The MCP server with what programs need to be let in by a person, called without a network. */
export async function openOauthScene() {
  const scene = await openMcpScene();
  const services = servicesOf(scene.product);
  provideServices(services);

  /** What the framework does: the addresses of clients, and the routes behind them. */
  async function answer(address: URL | string, init?: RequestInit): Promise<Response> {
    const request = new Request(address, init);
    const headers = new Headers(request.headers);
    headers.set('x-forwarded-for', `10.0.0.${visitor}`);
    const seen = new Request(request, { headers });
    switch (`${request.method} ${new URL(request.url).pathname}`) {
      case 'GET /.well-known/oauth-protected-resource/mcp':
        return resource.GET();
      case 'GET /.well-known/oauth-authorization-server':
        return metadata.GET();
      case 'POST /mcp/oauth/register':
        return register.POST(seen);
      case 'POST /mcp/oauth/token':
        return token.POST(seen);
      case 'POST /mcp/oauth/revoke':
        return revoke.POST(seen);
      default:
        return new Response('not found', { status: 404 });
    }
  }

  const step = (program: OauthProgram, authorizationCode?: string) =>
    auth(program, {
      serverUrl: SERVER,
      fetchFn: answer,
      authorizationCode,
      scope: program.clientMetadata.scope,
    });

  /** Up to the page on which a person decides. */
  async function ask(program = createOauthProgram(BACK)): Promise<Authorization> {
    await step(program);
    const read = await readAuthorization(services, program.opened!.searchParams);
    if (read.kind === 'refused') throw new Error(read.redirectTo);
    return read.authorization;
  }

  /** The address that leads back to the program after the person said yes. */
  async function approve(program: OauthProgram, readsOnly = false, person: Context = scene.owner) {
    return new URL(await approveAuthorization(person, await ask(program), { readsOnly }));
  }

  async function letIn(program: OauthProgram, readsOnly = false, person?: Context): Promise<void> {
    await step(program, (await approve(program, readsOnly, person)).searchParams.get('code') ?? '');
  }

  async function toolsOf(program: OauthProgram): Promise<readonly string[]> {
    await using agent = await connectMcp(SERVER, {
      token: program.remembered?.access_token ?? '',
      fetch: scene.fetch,
    });
    return await agent.list();
  }

  async function askForTokens(form: Readonly<Record<string, string>>) {
    const response = await answer(`${PUBLIC_URL}/mcp/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
    const body = (await response.json()) as { error?: string; access_token?: string };
    return [response.status, body] as const;
  }

  /** From another address: the tries of one are bounded. */
  const fromElsewhere = () => {
    visitor += 1;
  };

  return { ...scene, services, answer, step, ask, approve, letIn, toolsOf, askForTokens, fromElsewhere };
}
