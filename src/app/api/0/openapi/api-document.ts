import { ROUTES } from '#app/api/0/router.ts';
import { buildDocument, type OpenApiDocument } from './build-document.ts';

let built: OpenApiDocument | null = null;

/** The OpenAPI document of every operation; built on the first request. */
export function apiDocument(): OpenApiDocument {
  built ??= buildDocument(ROUTES);
  return built;
}
