import document from '../openapi/openapi.json';

/** The OpenAPI document, for everybody: it tells nothing of anybody's data. */
export const GET = (): Response =>
  Response.json(document, {
    headers: { 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' },
  });
