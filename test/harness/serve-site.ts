import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/**
 * Serves what a bundler wrote, on the loopback address. A bundle without a page gets one that loads its scripts. Maps
 * are kept back: nobody may need them in public.
 */
export async function serveSite(folder: string): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    const file = path.join(folder, pathname === '/' ? 'index.html' : path.normalize(pathname));
    const isFile = file.startsWith(folder) && statSync(file, { throwIfNoEntry: false })?.isFile();
    if (isFile && !file.endsWith('.map')) {
      response.setHeader('content-type', TYPES[path.extname(file)] ?? 'application/octet-stream');
      response.end(readFileSync(file));
    } else if (pathname === '/') {
      response.setHeader('content-type', 'text/html').end(pageOf(folder));
    } else {
      response.writeHead(404).end();
    }
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

function pageOf(folder: string): string {
  const assets = path.join(folder, 'assets');
  const scripts = existsSync(assets) ? readdirSync(assets).filter((name) => name.endsWith('.js')) : [];
  const tags = scripts.map((name) => `<script type="module" src="/assets/${name}"></script>`);
  return `<!doctype html><title>Shop</title><button>Check out</button>${tags.join('')}`;
}
