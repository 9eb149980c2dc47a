import type { TestProject } from 'vitest/node';
import { startErrata } from './start-errata.ts';

declare module 'vitest' {
  interface ProvidedContext {
    errata: { url: string; dsn: string; dataDir: string; pid: number };
  }
}

/** One server for all journeys that do not stop it; each makes projects of its own. */
export default async function startSharedServer(project: TestProject): Promise<() => Promise<void>> {
  const server = await startErrata();
  const { url, dsn, dataDir, pid } = server;
  if (dsn === null) throw new Error(`The server printed no DSN:\n${server.output()}`);
  project.provide('errata', { url, dsn, dataDir, pid });
  return async () => {
    if (process.exitCode) process.stderr.write(`The shared server's output:\n${server.output()}\n`);
    await server[Symbol.asyncDispose]();
  };
}
