import { apiDocument } from '../openapi/api-document.ts';

/** The OpenAPI document, for everybody: it tells nothing of anybody's data. */
export const GET = (): Response =>
  Response.json(apiDocument(), {
    headers: { 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' },
  });
