import { apiDocument } from '../openapi/api-document.ts';

/** The OpenAPI document, public: it contains no data of anyone. */
export const GET = (): Response =>
  Response.json(apiDocument(), {
    headers: { 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' },
  });
