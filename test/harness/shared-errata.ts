import type { Browser, Page } from 'playwright-core';
import { inject } from 'vitest';
import { type ApiClient, createApiClient } from './api-client.ts';
import { PROJECTS_TEAM } from './shared-server.ts';
import { attachErrata, type ErrataHandle } from './start-errata.ts';

/** The server that all journeys share. */
export const sharedErrata = (): ErrataHandle => attachErrata(inject('errata'));

/**
 * An empty page of somebody who is signed in to the shared server as its owner, all in one session: typing and checking a
 * password takes seconds. Whoever ends the session or is about signing in uses `signIn`.
 */
export async function openAsOwner(browser: Browser): Promise<Page> {
  const { url, ownerCookies } = inject('errata');
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  await context.addCookies(
    ownerCookies.split('; ').map((cookie) => {
      const [name = '', ...value] = cookie.split('=');
      return { name, value: value.join('='), url, httpOnly: true, sameSite: 'Lax' as const };
    }),
  );
  return context.newPage();
}

/** A new project of the shared server with a client of the API, by which it is made: a command takes a second longer. */
export async function makeProject(
  name: string,
): Promise<{ errata: ErrataHandle; slug: string; dsn: string; api: ApiClient }> {
  const errata = sharedErrata();
  const slug = `${name}-${Math.random().toString(36).slice(2, 8)}`;
  const maker = createApiClient(errata.url, inject('errata').projectToken);
  const project = { name: slug, slug, platform: 'node' };
  const made = await maker.request('POST', `/api/0/teams/main/${PROJECTS_TEAM}/projects/`, project);
  if (made.status !== 201) throw new Error(`The project was not created: ${JSON.stringify(made.body)}`);
  const [key] = await maker.get<{ dsn: { public: string } }[]>(`/api/0/projects/main/${slug}/keys/`);
  if (!key) throw new Error(`The project ${slug} has no client key`);
  return { errata, slug, dsn: key.dsn.public, api: createApiClient(errata.url, await errata.token()) };
}
