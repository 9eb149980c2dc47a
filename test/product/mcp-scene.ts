import { answerMcpRequest, type McpHost } from '#mcp/answer-mcp-request.ts';
import { createCallBudget } from '#mcp/guard-request.ts';
import { createToken } from '#product/accounts/own-account/own-tokens.ts';
import type { Context } from '#product/context.ts';
import type { NormalizedEvent } from '#protocol/event.ts';
import type { Scope } from '#protocol/scopes.ts';
import { NOON_MS } from '../contract/sample-events.ts';
import { connectMcp, type McpTester } from '../harness/mcp-client.ts';
import { openProduct, type Product, PUBLIC_URL } from './open-product.ts';
import { servicesOf } from './product-services.ts';

/** The event of `COUPON_PAYLOAD`. */
export const COUPON = 'c'.repeat(32);
export const COUPON_PAYLOAD: NormalizedEvent = {
  event_id: COUPON,
  type: 'error',
  level: 'error',
  platform: 'node',
  timestamp: NOON_MS / 1000,
  received: NOON_MS / 1000,
  exception: {
    values: [
      {
        type: 'TypeError',
        value: 'no id',
        stacktrace: {
          frames: [
            { function: 'run', filename: 'node_modules/queue.js', lineno: 7, in_app: false },
            {
              function: 'applyCoupon',
              filename: 'cart.ts',
              lineno: 84,
              in_app: true,
              context_line: 'return coupon.id;',
              vars: { code: 'SPRING' },
            },
          ],
        },
      },
    ],
  },
};

export type McpScene = Awaited<ReturnType<typeof openMcpScene>>;

/** An organization with a project `web` and the MCP server over it, called without a network. */
export async function openMcpScene() {
  const product = await openProduct();
  const mine = await product.createOrganization();
  const web = await product.createProject(mine, 'web');
  const owner = await product.join(mine, 'owner');
  return { product, mine, web, owner, ...connectScene(product), close: () => product.close() };
}

/** The MCP server over a product, and clients of it. */
export function connectScene(product: Product) {
  const defects: unknown[] = [];
  const host: McpHost = {
    stores: servicesOf(product).stores,
    now: () => product.clock.nowMs,
    publicUrl: PUBLIC_URL,
    describeSourceProblem: ({ reason }) => ({ what: `What: ${reason}.`, next: 'Next: upload.' }),
    reportDefect: async (error) => {
      defects.push(error);
    },
  };
  const calls = createCallBudget();

  const tokenOf = async (ctx: Context, scopes: readonly Scope[]): Promise<string> =>
    (await createToken(ctx, { name: 'Agent', scopes, expiresAt: null })).token;

  const fetch = (request: Request): Promise<Response> => {
    // A client of HTTP sets the host, which a request that is made by hand does not have.
    const headers = new Headers(request.headers);
    if (!headers.has('host')) headers.set('host', new URL(PUBLIC_URL).host);
    return answerMcpRequest(host, new Request(request, { headers }), { ipAddress: null, calls });
  };

  const connect = async (ctx: Context, scopes: readonly Scope[]): Promise<McpTester> =>
    connectMcp(`${PUBLIC_URL}/mcp`, { token: await tokenOf(ctx, scopes), fetch });

  return { host, defects, tokenOf, fetch, connect };
}

/** The lines of Markdown that stand in no fenced block. Source: https://spec.commonmark.org/0.31.2/#fenced-code-blocks */
export function outsideFences(markdown: string): string {
  let fence: string | null = null;
  return markdown
    .split('\n')
    .filter((line) => {
      const mark = /^ {0,3}(`{3,})/.exec(line)?.[1];
      if (fence === null) {
        if (mark) fence = mark;
        return !mark;
      }
      if (mark && mark.length >= fence.length && /^ {0,3}`+\s*$/.test(line)) fence = null;
      return false;
    })
    .join('\n');
}
