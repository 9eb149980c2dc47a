import { z } from 'zod';
import { contextOf } from '#app/api/0/api-caller.ts';
import type { ApiEndpoint } from '#app/api/0/handle-api-request.ts';
import { readJsonBody } from '#app/api/0/read-json-body.ts';
import { serializeOrganizationToken } from '#app/api/0/serializers/serialize-organization-token.ts';
import { notFound } from '#lib/errors.ts';
import {
  createOrganizationToken,
  getOrganizationToken,
  listOrganizationTokens,
  renameOrganizationToken,
  revokeOrganizationToken,
} from '#product/tokens/organization-tokens.ts';
import type { OrganizationParams } from './organization-endpoints.ts';

type TokenParams = OrganizationParams & { token: string };

const TOKEN = z.object({ name: z.string().max(1_000) });

/** Source of these: Sentry's `org-auth-tokens` endpoints. */
export const listOrganizationTokensEndpoint: ApiEndpoint<OrganizationParams> = async ({ caller, params }) => {
  const tokens = await listOrganizationTokens(contextOf(caller, params.org));
  return { body: tokens.map((token) => serializeOrganizationToken(token)) };
};

export const createOrganizationTokenEndpoint: ApiEndpoint<OrganizationParams> = async (call) => {
  const ctx = contextOf(call.caller, call.params.org);
  const { token, record } = await createOrganizationToken(ctx, await readJsonBody(call.request, TOKEN));
  return { body: serializeOrganizationToken(record, token), status: 201 };
};

export const getOrganizationTokenEndpoint: ApiEndpoint<TokenParams> = async ({ caller, params }) => {
  const ctx = contextOf(caller, params.org);
  return { body: serializeOrganizationToken(await getOrganizationToken(ctx, readId(params))) };
};

export const renameOrganizationTokenEndpoint: ApiEndpoint<TokenParams> = async (call) => {
  const ctx = contextOf(call.caller, call.params.org);
  const { name } = await readJsonBody(call.request, TOKEN);
  await renameOrganizationToken(ctx, { tokenId: readId(call.params), name });
  return { body: null, status: 204 };
};

export const revokeOrganizationTokenEndpoint: ApiEndpoint<TokenParams> = async ({ caller, params }) => {
  await revokeOrganizationToken(contextOf(caller, params.org), { tokenId: readId(params) });
  return { body: null, status: 204 };
};

function readId({ token }: TokenParams): number {
  if (!/^\d{1,15}$/.test(token)) throw notFound('The token does not exist');
  return Number(token);
}
