import { z } from 'zod';
import type { Scope } from '#protocol/scopes.ts';
import type { ApiCaller } from './api-caller.ts';
import { openPath, type PathParams, type PathScope } from './path-scope.ts';
import { describeQuery, type Parameters, type QueryValues, readQuery } from './query.ts';
import { readJsonBody } from './read-body.ts';
import { type LoadPage, Reply, replyWithPage } from './reply.ts';
import type { Frozen } from './shape.ts';

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

/** What an operation is: read from each request before its handler runs, and documented in `openapi.json`. */
type Declaration<Path extends string, Query, Body, Paged, Answer> = {
  /** One sentence without its full stop. */
  summary: string;
  /** One of them is enough; none when any valid token is. The verbs check them, and a test that they do. */
  scopes: readonly Scope[];
  /** All of these are needed as well. */
  alsoScopes?: readonly Scope[];
  /** The parameters behind the `?`. */
  query?: Query;
  /** Parameters of the reference that are refused: a filter that is not applied would answer something else. */
  refuses?: readonly string[];
  /** What is sent: the schema of its JSON; `form` for multipart/form-data, which the handler reads as it arrives. */
  body?: Body;
  bodyBytesMax?: number;
  /** What is answered: its shape; null for nothing, whatever the handler gives; `file` for a download. */
  answer: Answer;
  /** 200, or 204 when nothing is answered. */
  status?: number;
  /** When there was nothing to do, or more is still to be done; with the same answer unless it is 204. */
  otherStatus?: number;
  /** Whether rows come in pages, with a Link header. */
  isPaged?: Paged;
  /** Gives what becomes JSON, or a reply with a status of its own; what is no JSON, such as a download, as a whole. */
  handle: (call: Call<Path, Query, Body, Paged>) => Promise<Answered<Answer>>;
};

/** One request as its handler gets it: what its path names is found, its query and body are read. */
type Call<Path extends string, Query, Body, Paged> = PathScope<Path> & {
  params: PathParams<Path>;
  query: QueryValues<Query>;
  body: Body extends z.ZodType ? z.output<Body> : undefined;
  /** Of a paged operation: answers the requested page; `load` gets its cursor, null for the first one. */
  page: Paged extends true ? (load: LoadPage) => Promise<Reply> : undefined;
  request: Request;
  caller: ApiCaller;
};

/** What is answered is checked against the declared shape when it is compiled, and by the API matrix. */
type Answered<Answer> = Reply | Response | (Answer extends z.ZodType ? Frozen<z.input<Answer>> : unknown);

/** What the OpenAPI document says about an operation, and tests check answers against. */
export type OperationDescription = Pick<
  Declaration<string, Parameters, undefined, boolean, z.ZodType | null | 'file'>,
  'summary' | 'scopes' | 'alsoScopes' | 'answer' | 'status' | 'otherStatus' | 'isPaged'
> & {
  /** Schemas of the parameters, by name. */
  query?: Readonly<Record<string, z.ZodType>>;
  body?: z.ZodType | 'form';
};

export type Operation = OperationDescription & {
  method: Method;
  /** `organizations/[org]/members`, without a slash at either end; more than one for what has several addresses. */
  paths: readonly string[];
  run: (
    request: Request,
    params: Readonly<Record<string, string>>,
    caller: ApiCaller,
  ) => Promise<Reply | Response>;
};

const define =
  (method: Method) =>
  <
    const Path extends string,
    Query extends Parameters = Record<never, never>,
    Body extends z.ZodType | 'form' | undefined = undefined,
    const Paged extends boolean = false,
    Answer extends z.ZodType | null | 'file' = null,
  >(
    path: Path | readonly Path[],
    {
      query,
      refuses = [],
      body,
      bodyBytesMax,
      handle,
      ...description
    }: Declaration<Path, Query, Body, Paged, Answer>,
  ): Operation => {
    const status = description.status ?? (description.answer === null ? 204 : 200);
    return {
      ...description,
      method,
      paths: typeof path === 'string' ? [path] : (path as readonly string[]),
      ...(query && { query: describeQuery(query) }),
      ...(body && { body }),
      async run(request, params, caller) {
        const url = new URL(request.url);
        const scope = await openPath(caller, params);
        const call = {
          ...scope,
          params,
          query: await readQuery(url, query ?? {}, refuses, scope.ctx),
          body: body instanceof z.ZodType ? await readJsonBody(request, body, bodyBytesMax) : undefined,
          page: (load: LoadPage) => replyWithPage(caller.contexts[0]?.publicUrl ?? url.origin, url, load),
          request,
          caller,
        };
        const answered = await handle(call as unknown as Call<Path, Query, Body, Paged>);
        if (answered instanceof Response || answered instanceof Reply) return answered;
        return new Reply(description.answer === null ? null : (answered ?? null), { status });
      },
    };
  };

export const get = define('GET');
export const post = define('POST');
export const put = define('PUT');
export const del = define('DELETE');
