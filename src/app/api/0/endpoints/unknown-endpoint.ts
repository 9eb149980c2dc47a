import type { ApiEndpoint } from '#app/api/0/handle-api-request.ts';
import { notFound } from '#lib/errors.ts';

/** Any path of the API that is not there. */
export const unknownEndpoint: ApiEndpoint<unknown> = async ({ url }) => {
  throw notFound(`The API has no path ${url.pathname.slice(0, 200)}: see docs/api.md for those that it has`);
};
