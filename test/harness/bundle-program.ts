import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { build } from 'vite';
import { ROOT } from './start-errata.ts';

/** A program of test/journeys/programs with the SDK that it imports, as one script for a browser. */
export async function bundleProgram(name: string): Promise<string> {
  const result = await build({
    logLevel: 'error',
    configFile: false,
    // As a shop is built, whatever the environment of the tests says: React asks for it.
    define: { 'process.env.NODE_ENV': '"production"' },
    oxc: { jsx: { runtime: 'automatic', development: false } },
    build: {
      write: false,
      minify: false,
      lib: { entry: path.join(ROOT, 'test/journeys/programs', name), formats: ['iife'], name: 'program' },
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  const chunk = output && 'output' in output ? output.output[0] : null;
  if (chunk?.type !== 'chunk') throw new Error('The bundler gave no chunk');
  return chunk.code;
}

/** Serves a page that runs a script from `/app.js`, on the loopback address; `paths` answer JSON with a status. */
export async function serveProgram(
  script: string,
  page: string,
  paths: Readonly<Record<string, number>> = {},
): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer((request, response) => {
    const url = request.url ?? '/';
    const status = paths[url];
    if (status !== undefined) response.statusCode = status;
    response.setHeader('content-type', url === '/app.js' ? 'text/javascript' : 'text/html');
    response.end(url === '/app.js' ? script : status === undefined ? page : '{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
