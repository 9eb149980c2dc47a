import { inject } from 'vitest';
import { type ApiClient, createApiClient } from './api-client.ts';
import { attachErrata, type ErrataHandle } from './start-errata.ts';

/** The server that all journeys share. */
export const sharedErrata = (): ErrataHandle => attachErrata(inject('errata'));

/** A new project of the shared server with a client of the API. */
export async function makeProject(
  name: string,
): Promise<{ errata: ErrataHandle; slug: string; dsn: string; api: ApiClient }> {
  const errata = sharedErrata();
  const slug = `${name}-${Math.random().toString(36).slice(2, 8)}`;
  const dsn = await errata.project(slug);
  return { errata, slug, dsn, api: createApiClient(errata.url, await errata.token()) };
}
