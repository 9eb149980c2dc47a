import { answerMethod } from '#app/api/0/answer-request.ts';
import { METHODS, type Method, type Operation } from '#app/api/0/operation.ts';
import { ROUTES } from '#app/api/0/router.ts';

export type RouteHandler = (
  request: Request,
  context: { params: Promise<Readonly<Record<string, string>>> },
) => Promise<Response>;

export type ApiRoute = {
  /** `organizations/[org]/members`; empty for the root. */
  path: string;
  /** Methods that the route answers. */
  handlers: Readonly<Record<string, RouteHandler & { readonly operation: Operation }>>;
};

/** Every route of the API, each called with the dynamic parts of its path; a list stands behind what it lists. */
export const listApiRoutes = (): readonly ApiRoute[] =>
  ROUTES.map(({ path, operations }) => ({
    path,
    handlers: Object.fromEntries(
      METHODS.flatMap((method) => {
        const operation = operations[method];
        return operation ? [[method, Object.assign(handlerOf(path, method), { operation })]] : [];
      }),
    ),
  })).sort((a, b) => (`${a.path}/~` < `${b.path}/~` ? -1 : 1));

/** One route with all methods, also those that it refuses. */
export const apiRoute = (path: string): Readonly<Record<Method, RouteHandler>> =>
  Object.fromEntries(METHODS.map((method) => [method, handlerOf(path, method)])) as Record<
    Method,
    RouteHandler
  >;

/** As the framework calls it, with the decoded segments. */
const handlerOf =
  (path: string, method: Method): RouteHandler =>
  async (request, context) => {
    const params = await context.params;
    const segments = path
      .split('/')
      .filter(Boolean)
      .map((part) => (part.startsWith('[') ? (params[part.slice(1, -1)] ?? '') : part));
    return answerMethod(method)(request, { params: Promise.resolve({ path: segments }) });
  };
