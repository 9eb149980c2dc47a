import { reportRequestError } from '#app/error-reporting/report-request-error.ts';
import { httpStatus, isErrataError } from '#lib/errors.ts';
import { getServices } from '#product/services.ts';
import type { ApiCaller } from './api-caller.ts';
import { authenticateWithinLimits, enterCaller } from './limit-caller.ts';
import type { Operation } from './operation.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type Method = (typeof METHODS)[number];

/** One authenticated request. `params` are the dynamic parts of the path. */
export type ApiCall<Params> = { request: Request; url: URL; params: Params; caller: ApiCaller };

/** `body` becomes JSON, null an answer without content; `link` is the value of the Link header. */
export type ApiAnswer = { body: unknown; link?: string; status?: number };

/** What is no JSON, such as a download, is answered as a whole. */
export type ApiEndpoint<Params> = ((call: ApiCall<Params>) => Promise<ApiAnswer | Response>) & {
  /** What the OpenAPI document tells of it. */
  readonly operation?: Operation;
};

type RouteHandler<Params> = ((
  request: Request,
  context: { params: Promise<Params> },
) => Promise<Response>) & { readonly operation: Operation | undefined };

/**
 * The handlers of one route: authenticated, and every failure answered as Sentry's `{"detail": …}` with the status
 * that belongs to it. A method without an endpoint answers 405.
 */
export function handleApiRequest<Params>(
  endpoints: Partial<Record<Method, ApiEndpoint<Params>>>,
): Record<Method, RouteHandler<Params>> {
  const allowed = METHODS.filter((method) => endpoints[method]);
  const handler = (method: Method): RouteHandler<Params> => {
    const endpoint = endpoints[method];
    const answer: (...of: Parameters<RouteHandler<Params>>) => Promise<Response> = async (
      request,
      context,
    ) => {
      try {
        if (!endpoint) return refuseMethod(method, allowed);
        const services = getServices();
        const caller = await authenticateWithinLimits(services, request);
        const turn = enterCaller(services, caller.limitKey);
        if (turn.kind === 'refused') return withHeaders(await answerError(turn.error, request), turn.headers);
        try {
          return withHeaders(await answerCall(endpoint, { request, caller }, context.params), turn.headers);
        } finally {
          turn.leave();
        }
      } catch (error) {
        return answerError(error, request);
      }
    };
    return Object.assign(answer, { operation: endpoint?.operation });
  };
  return {
    GET: handler('GET'),
    POST: handler('POST'),
    PUT: handler('PUT'),
    PATCH: handler('PATCH'),
    DELETE: handler('DELETE'),
  };
}

async function answerCall<Params>(
  endpoint: ApiEndpoint<Params>,
  { request, caller }: Pick<ApiCall<Params>, 'request' | 'caller'>,
  params: Promise<Params>,
): Promise<Response> {
  try {
    const url = new URL(request.url);
    const answered = await endpoint({ request, url, params: await params, caller });
    return answered instanceof Response ? answered : answerJson(answered);
  } catch (error) {
    return answerError(error, request);
  }
}

function withHeaders(response: Response, headers: Readonly<Record<string, string>>): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

const PRIVATE = { 'cache-control': 'no-store', vary: 'Authorization, Cookie' };

function answerJson({ body, link, status = 200 }: ApiAnswer): Response {
  if (body === null) return new Response(null, { status, headers: PRIVATE });
  return Response.json(body, { status, headers: link ? { ...PRIVATE, link } : PRIVATE });
}

function refuseMethod(method: Method, allowed: readonly Method[]): Response {
  return Response.json(
    { detail: `Method "${method}" not allowed: use ${allowed.join(' or ')}` },
    { status: 405, headers: { ...PRIVATE, allow: allowed.join(', ') } },
  );
}

async function answerError(error: unknown, request: Request): Promise<Response> {
  if (!isErrataError(error)) return answerDefect(error, request);
  const headers: Record<string, string> = { ...PRIVATE };
  if (error.retryAfterSeconds !== null) headers['retry-after'] = String(error.retryAfterSeconds);
  if (error.code === 'unauthorized') headers['www-authenticate'] = 'Bearer realm="api"';
  return Response.json({ detail: error.message }, { status: httpStatus(error.code), headers });
}

/** What no endpoint expects: reported, and told without its content. */
async function answerDefect(error: unknown, request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  await reportRequestError(
    error,
    { path: pathname, method: request.method, headers: {} },
    {
      routerKind: 'App Router',
      routePath: '/api/0',
      routeType: 'route',
      renderSource: 'react-server-components',
      revalidateReason: undefined,
    },
  );
  return Response.json(
    { detail: 'The server failed to answer this: the reason is in its log' },
    { status: 500, headers: PRIVATE },
  );
}
