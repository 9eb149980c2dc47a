import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { type ErrataError, forbidden, httpStatus, isErrataError } from '#lib/errors.ts';
import { authenticateToken } from '#product/accounts/authenticate-token.ts';
import type { Context } from '#product/context.ts';
import { authenticateAccessToken, isAccessToken } from '#product/oauth/authenticate-access-token.ts';
import { OAUTH_PATHS } from '#product/oauth/oauth-address.ts';
import type { Services } from '#product/services.ts';
import { buildServer, type ServerHost } from './build-server.ts';
import {
  BodyTooLarge,
  type CallBudget,
  createCallBudget,
  findForeignAddress,
  readMessages,
} from './guard-request.ts';

export type McpHost = ServerHost & Pick<Services, 'stores' | 'now' | 'publicUrl'>;

const budget = createCallBudget();

/** Of JSON-RPC: what servers refuse outside of a message. */
const REFUSED_CODE = -32_000;
const PRIVATE = { 'cache-control': 'no-store', vary: 'Authorization' };

/**
 * Answers one request of an MCP client: streamable HTTP without sessions, every answer as JSON. Never throws.
 * Source: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports
 */
export async function answerMcpRequest(
  host: McpHost,
  request: Request,
  { ipAddress, calls = budget }: { ipAddress: string | null; calls?: CallBudget },
): Promise<Response> {
  const foreign = findForeignAddress(request.headers, host.publicUrl);
  if (foreign !== null) return refuse(403, foreign);
  if (request.method !== 'POST') return refuseMethod(request.method);
  try {
    const { ctx, budgetKey } = await authenticate(host, request);
    const { body, count } = await readMessages(request);
    const taken = calls.take(budgetKey, count);
    if ('retryAfterSeconds' in taken) return refuseMore(taken.retryAfterSeconds);
    try {
      return await answer(host, { ...ctx, ipAddress }, request, body);
    } finally {
      taken.release();
    }
  } catch (error) {
    if (error instanceof BodyTooLarge) return refuse(413, error.message);
    if (isErrataError(error)) return refuseFor(host, request, error);
    await host.reportDefect(error, 'none');
    return refuse(500, 'The server failed to answer this: the reason is in its log');
  }
}

/** By a personal token, or the access token of a program that a person let in. Throws Unauthorized, Forbidden. */
async function authenticate(host: McpHost, request: Request): Promise<{ ctx: Context; budgetKey: string }> {
  const authorization = request.headers.get('authorization');
  if (isAccessToken(authorization)) {
    const { ctx, grantId } = await authenticateAccessToken(host, authorization);
    return { ctx, budgetKey: `grant ${grantId}` };
  }
  const ctx = await authenticateToken(host, authorization);
  if (ctx.actor.kind !== 'token') {
    throw forbidden('Tokens of an organization are for builds: use a personal token, from Account → Tokens');
  }
  return { ctx, budgetKey: `token ${ctx.actor.tokenId}` };
}

async function answer(host: McpHost, ctx: Context, request: Request, body: unknown): Promise<Response> {
  const server = buildServer(ctx, host);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const response = await transport.handleRequest(request, { parsedBody: body });
    for (const [name, value] of Object.entries(PRIVATE)) response.headers.set(name, value);
    return response;
  } finally {
    await server.close();
  }
}

function refuse(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json(
    { jsonrpc: '2.0', error: { code: REFUSED_CODE, message }, id: null },
    { status, headers: { ...PRIVATE, ...headers } },
  );
}

function refuseFor(host: McpHost, request: Request, error: ErrataError): Response {
  const { code, message, retryAfterSeconds } = error;
  return refuse(httpStatus(code), message, {
    ...(code === 'unauthorized' && { 'www-authenticate': challenge(host, request) }),
    ...(retryAfterSeconds !== null && { 'retry-after': String(retryAfterSeconds) }),
  });
}

/** Tells clients where to find out how to get a token. Source: https://www.rfc-editor.org/rfc/rfc9728#section-5.1 */
function challenge({ publicUrl }: McpHost, request: Request): string {
  const parts = [
    'realm="mcp"',
    ...(request.headers.has('authorization') ? ['error="invalid_token"'] : []),
    `resource_metadata="${publicUrl}${OAUTH_PATHS.protectedResource}"`,
  ];
  return `Bearer ${parts.join(', ')}`;
}

const refuseMore = (retryAfterSeconds: number): Response =>
  refuse(429, `This token asks too often: try again in ${retryAfterSeconds} seconds`, {
    'retry-after': String(retryAfterSeconds),
  });

/** There is no stream that the server would begin, and no session to end. */
const refuseMethod = (method: string): Response =>
  refuse(405, `Method "${method}" not allowed: this is the address of an MCP server, which clients POST to`, {
    allow: 'POST',
  });
