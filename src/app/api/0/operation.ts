import type { z } from 'zod';
import type { Scope } from '#protocol/scopes.ts';
import type { ApiEndpoint } from './handle-api-request.ts';

/** What is told of an endpoint: the OpenAPI document is made of it, and tests hold the answers against it. */
export type Operation = {
  /** One sentence without its full stop. */
  summary: string;
  /** One of them is enough; none when any valid token is. */
  scopes: readonly Scope[];
  /** All of these are needed as well. */
  alsoScopes?: readonly Scope[];
  /** The parameters behind the `?`, by name. */
  query?: Readonly<Record<string, z.ZodType>>;
  /** What is sent: the schema that the endpoint reads it with; `form` for multipart/form-data. */
  body?: z.ZodType | 'form';
  /** What is answered: its shape; null for nothing, `file` for a download. */
  answer: z.ZodType | null | 'file';
  /** 200, or 204 when nothing is answered. */
  status?: number;
  /** When there was nothing to do, or more is still to be done; with the same answer unless it is 204. */
  otherStatus?: number;
  /** Whether rows come in pages, with a Link header. */
  isPaged?: true;
};

export type DeclaredEndpoint<Params> = ApiEndpoint<Params> & { readonly operation: Operation };

export function declare<Params>(
  operation: Operation,
  endpoint: ApiEndpoint<Params>,
): DeclaredEndpoint<Params> {
  return Object.assign(endpoint, { operation });
}
