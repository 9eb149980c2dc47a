import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { OperationDescription } from '../operation.ts';
import { TAG_NAMES, tagOf } from './tag-of.ts';

/** Source: https://spec.openapis.org/oas/v3.1.0.html */
export type OpenApiDocument = {
  openapi: string;
  info: { title: string; version: string; description: string };
  servers: readonly { url: string }[];
  tags: readonly { name: string }[];
  /** By path, then by method in lower case. */
  paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  components: Json;
};

export type OpenApiOperation = {
  operationId: string;
  summary: string;
  tags: readonly string[];
  security: readonly Readonly<Record<'token', readonly string[]>>[];
  parameters: readonly OpenApiParameter[];
  requestBody?: Json;
  responses: Readonly<Record<string, Json>>;
};

export type OpenApiParameter = {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  description: string;
  schema: Json;
};

type Json = { readonly [key: string]: unknown };

/** `organizations/[org]/teams` with its operations by method. */
export type DocumentedRoute = { path: string; operations: Readonly<Record<string, OperationDescription>> };

const ERROR = { $ref: '#/components/responses/Error' };

/** The OpenAPI document of the routes; shared schemas are in `components`, once. */
export function buildDocument(routes: readonly DocumentedRoute[]): OpenApiDocument {
  const schemas: Record<string, Json> = {};
  const toSchema = (schema: z.ZodType, io: 'input' | 'output' = 'output'): Json => {
    const {
      $defs,
      $schema: _,
      ...json
    } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as {
      $defs?: Record<string, Json>;
    } & Json;
    for (const [name, definition] of Object.entries($defs ?? {})) {
      const schema = hoist(definition);
      schemas[name] ??= schema;
      if (!isDeepStrictEqual(schemas[name], schema)) throw new Error(`Two schemas have the name ${name}`);
    }
    return hoist(json);
  };
  const addressOf = (path: string): string =>
    `/api/0/${path.replaceAll(/\[([^\]]+)\]/g, '{$1}')}${path === '' ? '' : '/'}`;
  // A list comes before its items.
  const sorted = [...routes].sort((a, b) => (addressOf(a.path) < addressOf(b.path) ? -1 : 1));
  const paths = Object.fromEntries(
    sorted.map(({ path, operations }) => [
      addressOf(path),
      Object.fromEntries(
        Object.entries(operations).map(([method, operation]) => [
          method.toLowerCase(),
          describeOperation(path, method, operation, toSchema),
        ]),
      ),
    ]),
  );
  const used = new Set(routes.map(({ path }) => tagOf(path)));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Errata',
      version: '0',
      description:
        'Compatible with the paths and fields of Sentry’s web API. Authenticate with "Authorization: Bearer …". Lists are paginated with the Link header.',
    },
    servers: [{ url: '/' }],
    tags: TAG_NAMES.filter((name) => used.has(name)).map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      responses: {
        Error: {
          description: 'Error',
          content: {
            'application/json': {
              schema: { type: 'object', properties: { detail: { type: 'string' } }, required: ['detail'] },
            },
          },
        },
      },
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

type ToSchema = (schema: z.ZodType, io?: 'input' | 'output') => Json;

function describeOperation(
  path: string,
  method: string,
  operation: OperationDescription,
  toSchema: ToSchema,
): OpenApiOperation {
  const { answer, body } = operation;
  const status = operation.status ?? (answer === null ? 204 : 200);
  const also = operation.alsoScopes ?? [];
  const statuses = operation.otherStatus === undefined ? [status] : [status, operation.otherStatus];
  return {
    operationId: operationIdOf(path, method),
    summary: operation.summary,
    tags: [tagOf(path)],
    // Each entry is enough, all scopes of it together.
    security: (operation.scopes.length === 0 ? [[]] : operation.scopes.map((scope) => [scope, ...also])).map(
      (token) => ({ token }),
    ),
    parameters: [
      ...[...path.matchAll(/\[([^\]]+)\]/g)].map(([, name = '']) => pathParameter(name)),
      ...Object.entries(operation.query ?? {}).map(([name, schema]) =>
        queryParameter(name, schema, toSchema),
      ),
    ],
    ...(body !== undefined && { requestBody: describeBody(body, toSchema) }),
    responses: {
      ...Object.fromEntries(statuses.map((each) => [each, describeAnswer(operation, each, toSchema)])),
      default: ERROR,
    },
  };
}

function describeAnswer({ answer, isPaged }: OperationDescription, status: number, toSchema: ToSchema): Json {
  if (answer === null || status === 204) return { description: 'Done' };
  return {
    description: 'Success',
    ...(isPaged && { headers: { Link: { description: 'Pagination links', schema: TEXT } } }),
    content: describeContent(answer, toSchema),
  };
}

const TEXT = { type: 'string' } as const;
const BYTES = { type: 'string', format: 'binary' } as const;

const pathParameter = (name: string): OpenApiParameter => ({
  name,
  in: 'path',
  required: true,
  description: describePathParameter(name),
  schema: TEXT,
});

function queryParameter(name: string, schema: z.ZodType, toSchema: ToSchema): OpenApiParameter {
  const { description = '', ...json } = toSchema(schema);
  return { name, in: 'query', required: false, description: String(description), schema: json };
}

function describeBody(body: z.ZodType | 'form', toSchema: ToSchema): Json {
  if (body === 'form') {
    const file = { type: 'object', properties: { file: BYTES } };
    return { required: true, content: { 'multipart/form-data': { schema: file } } };
  }
  return { required: true, content: { 'application/json': { schema: toSchema(body, 'input') } } };
}

const describeContent = (answer: z.ZodType | 'file', toSchema: ToSchema): Json =>
  answer === 'file'
    ? { 'application/octet-stream': { schema: BYTES } }
    : { 'application/json': { schema: toSchema(answer) } };

/** `GET organizations/[org]/teams` is `getOrganizationsOrgTeams`. */
function operationIdOf(path: string, method: string): string {
  const words = path.split(/[^a-zA-Z0-9]+/).filter((word) => word !== '');
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** References into a schema become references into the document. */
function hoist<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/')) as Value;
}

/** Descriptions of path parameters. */
const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  org: 'Organization slug or ID',
  project: 'Project slug or ID',
  issue: 'Issue ID, or short ID such as WEB-3F',
  event: 'Event ID',
  team: 'Team slug or ID',
  member: 'Member ID, user ID, or "me"',
  key: 'The key',
  version: 'Release version; encode slashes as %2F',
  monitor: 'Monitor slug',
  replay: 'Replay ID',
  segment: 'Segment number',
  trace: 'Trace ID of 32 hexadecimal digits',
  attachment: 'Attachment ID',
  profile: 'Profile ID',
  environment: 'Environment name',
  short: 'Issue short ID, such as WEB-3F',
  filter: 'Inbound filter ID',
};

const describePathParameter = (name: string): string => PATH_PARAMETERS[name] ?? `ID of the ${name}`;
