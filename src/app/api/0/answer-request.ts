import { reportRequestError } from '#app/error-reporting/report-request-error.ts';
import { httpStatus, isErrataError, notFound } from '#lib/errors.ts';
import { getServices } from '#product/services.ts';
import type { ApiCaller } from './api-caller.ts';
import { authenticateWithinLimits, enterCaller } from './limit-caller.ts';
import { METHODS, type Method, type Operation } from './operation.ts';
import type { Reply } from './reply.ts';
import { findRoute } from './router.ts';

/** As the framework calls it: the segments are decoded, there are none for the root. */
type RouteHandler = (
  request: Request,
  context: { params: Promise<{ path?: readonly string[] }> },
) => Promise<Response>;

/** Answers every request of the API that has this method. */
export const answerMethod =
  (method: Method): RouteHandler =>
  async (request, context) => {
    const { path = [] } = await context.params;
    const found = findRoute(path);
    if (!found) return answerWith(refuseUnknownPath, request, {});
    const { operations } = found.route;
    const operation = operations[method];
    if (operation) return answerWith(operation.run, request, found.params);
    return refuseMethod(
      method,
      METHODS.filter((each) => operations[each]),
    );
  };

/**
 * Runs what answers: for an authenticated caller, within its limits, and with every failure as Sentry's
 * `{"detail": …}` with the status that belongs to it.
 */
export async function answerWith(
  run: Operation['run'],
  request: Request,
  params: Readonly<Record<string, string>>,
): Promise<Response> {
  try {
    const services = getServices();
    const caller = await authenticateWithinLimits(services, request);
    const turn = enterCaller(services, caller.limitKey);
    if (turn.kind === 'refused') return withHeaders(await answerError(turn.error, request), turn.headers);
    try {
      return withHeaders(await answerCaller(run, request, params, caller), turn.headers);
    } finally {
      turn.leave();
    }
  } catch (error) {
    return answerError(error, request);
  }
}

async function answerCaller(
  run: Operation['run'],
  request: Request,
  params: Readonly<Record<string, string>>,
  caller: ApiCaller,
): Promise<Response> {
  try {
    const answered = await run(request, params, caller);
    return answered instanceof Response ? answered : answerJson(answered);
  } catch (error) {
    return answerError(error, request);
  }
}

const refuseUnknownPath: Operation['run'] = async (request) => {
  const { pathname } = new URL(request.url);
  throw notFound(`The API has no path ${pathname.slice(0, 200)}: see docs/api.md for those that it has`);
};

function withHeaders(response: Response, headers: Readonly<Record<string, string>>): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

const PRIVATE = { 'cache-control': 'no-store', vary: 'Authorization, Cookie' };

function answerJson({ body, link, status }: Reply): Response {
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

/** An unexpected error: reported, and answered without details. */
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
    { detail: 'Internal server error: see the server log for details' },
    { status: 500, headers: PRIVATE },
  );
}
