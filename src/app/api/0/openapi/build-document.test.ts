import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { OperationDescription } from '../operation.ts';
import { buildDocument } from './build-document.ts';
import { TAG_NAMES, tagOf } from './tag-of.ts';

const TEAM = z.object({ id: z.string(), name: z.string().nullable() }).meta({ id: 'Team' });

const LIST: OperationDescription = {
  summary: 'Lists teams',
  scopes: ['team:read', 'event:read'],
  query: { limit: z.int().min(1).describe('Rows of a page'), team: z.array(z.string()).describe('Teams') },
  answer: z.array(TEAM),
  isPaged: true,
};
const CREATE: OperationDescription = {
  summary: 'Creates a team',
  scopes: ['team:write'],
  body: z.object({ name: z.string().default('Team') }),
  answer: TEAM,
  status: 201,
};
const REMOVE: OperationDescription = { summary: 'Deletes a team', scopes: [], answer: null };
const FILE: OperationDescription = {
  summary: 'Takes a file',
  scopes: ['project:write', 'org:ci'],
  alsoScopes: ['event:read'],
  body: 'form',
  answer: 'file',
};

const document = buildDocument([
  { path: 'organizations/[org]/teams', operations: { GET: LIST, POST: CREATE } },
  { path: 'teams/[org]/[team]', operations: { DELETE: REMOVE, PUT: FILE } },
]);
const of = (path: string, method: string) => document.paths[path]![method]!;

describe('the OpenAPI document', () => {
  test('an operation has its path, its scopes and its parameters', () => {
    expect(of('/api/0/organizations/{org}/teams/', 'get')).toMatchObject({
      operationId: 'getOrganizationsOrgTeams',
      tags: ['Members and teams'],
      security: [{ token: ['team:read'] }, { token: ['event:read'] }],
      parameters: [
        { name: 'org', in: 'path', required: true },
        {
          name: 'limit',
          in: 'query',
          required: false,
          description: 'Rows of a page',
          schema: { minimum: 1 },
        },
        { name: 'team', in: 'query', schema: { type: 'array' } },
      ],
    });
  });

  test('what is answered stands among the schemas, once', () => {
    const reference = { $ref: '#/components/schemas/Team' };
    const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });
    expect(of('/api/0/organizations/{org}/teams/', 'get').responses['200']).toMatchObject({
      ...json({ type: 'array', items: reference }),
      headers: { Link: {} },
    });
    expect(of('/api/0/organizations/{org}/teams/', 'post').responses['201']).toMatchObject(json(reference));
    expect(document.components.schemas).toMatchObject({
      Team: { type: 'object', required: ['id', 'name'] },
    });
  });

  test('a body is described as it is sent, not as it is read', () => {
    expect(of('/api/0/organizations/{org}/teams/', 'post').requestBody).toMatchObject({
      content: { 'application/json': { schema: { properties: { name: { default: 'Team' } } } } },
    });
    expect(JSON.stringify(of('/api/0/organizations/{org}/teams/', 'post').requestBody)).not.toContain(
      '"required":["name"]',
    );
  });

  test('nothing, files and forms', () => {
    expect(of('/api/0/teams/{org}/{team}/', 'delete').responses).toMatchObject({ '204': {}, default: {} });
    expect(of('/api/0/teams/{org}/{team}/', 'delete').security).toEqual([{ token: [] }]);
    expect(of('/api/0/teams/{org}/{team}/', 'put')).toMatchObject({
      security: [{ token: ['project:write', 'event:read'] }, { token: ['org:ci', 'event:read'] }],
      requestBody: { content: { 'multipart/form-data': {} } },
      responses: { '200': { content: { 'application/octet-stream': {} } } },
    });
  });

  test('two schemas of one name are refused', () => {
    const other = z.object({ id: z.number() }).meta({ id: 'Team' });
    const operations = { GET: LIST, POST: { ...CREATE, answer: other } };
    expect(() => buildDocument([{ path: 'teams', operations }])).toThrow('Two schemas have the name Team');
  });
});

test('every heading that an operation can stand under has its place', () => {
  expect(TAG_NAMES).toContain(tagOf('anything/else'));
  const paths = [
    '',
    'organizations/[org]/repos',
    'organizations/[org]/trackers',
    'projects/[org]/[project]/logs',
  ];
  for (const path of paths) expect(TAG_NAMES).toContain(tagOf(path));
});
