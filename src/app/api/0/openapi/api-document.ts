import { ROUTES } from '#app/api/0/router.ts';
import { buildDocument, type OpenApiDocument } from './build-document.ts';

let built: OpenApiDocument | null = null;

/** The OpenAPI document of every operation; built when it is first asked for. */
export function apiDocument(): OpenApiDocument {
  built ??= buildDocument(ROUTES);
  return built;
}
