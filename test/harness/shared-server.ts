import type { TestProject } from 'vitest/node';
import { createApiClient } from './api-client.ts';
import { shareChromium } from './browser.ts';
import { cookiesOf, postSignIn } from './plain-form.ts';
import { startErrata } from './start-errata.ts';

declare module 'vitest' {
  interface ProvidedContext {
    errata: {
      url: string;
      dsn: string;
      dataDir: string;
      pid: number;
      commonToken: string;
      /** Of the API, to create projects with. */
      projectToken: string;
      /** The `Cookie` header of its owner. */
      ownerCookies: string;
    };
  }
}

/** Has the projects that journeys create. */
export const PROJECTS_TEAM = 'journeys';

/**
 * One server for all journeys that do not stop it, each of which makes projects of its own; and one browser, in which each
 * opens contexts of its own.
 */
export default async function startSharedServer(project: TestProject): Promise<() => Promise<void>> {
  const endBrowser = await shareChromium();
  // Journeys stand in for services on this one address; every other one of private networks stays closed.
  const server = await startErrata({
    // Each issue of a test makes a rule of its project fire, which would be most of the log.
    env: { ERRATA_ALLOW_INSIDE_ADDRESSES: '127.0.0.1', ERRATA_LOG_LEVEL: 'warn' },
  });
  const { url, dsn, dataDir, pid } = server;
  if (dsn === null) throw new Error(`The server printed no DSN:\n${server.output()}`);
  const commonToken = await server.token();
  const projectToken = await server.token('project:read,project:write,team:read,team:write');
  const team = { slug: PROJECTS_TEAM, name: 'Journeys' };
  await createApiClient(url, projectToken).request('POST', '/api/0/organizations/main/teams/', team);
  const ownerCookies = cookiesOf(await postSignIn(url));
  project.provide('errata', { url, dsn, dataDir, pid, commonToken, projectToken, ownerCookies });
  return async () => {
    if (process.exitCode) process.stderr.write(`The shared server's output:\n${server.output()}\n`);
    await endBrowser();
    await server[Symbol.asyncDispose]();
  };
}
