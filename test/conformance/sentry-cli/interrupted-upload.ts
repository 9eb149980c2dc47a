import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { CliScene } from './cli-scene.ts';
import { expectExit, expectThat } from './expect-exit.ts';
import { listBundles } from './project-uploads.ts';

const MIB = 1024 * 1024;
/** More than fits one request of parts, even when it is packed. */
const RANDOM_BYTES = 40 * MIB;

export type InterruptedUpload = {
  /** Parts that the upload has. */
  chunks: number;
  /** Parts that reached the server before the client was killed, and those of the second run. */
  first: number;
  second: number;
};

/**
 * Uploads a large folder through a proxy that lets one request with parts pass, kills the client then, and uploads
 * again to the end.
 */
export async function interruptUpload(scene: CliScene): Promise<InterruptedUpload> {
  writeLargeScript(path.join(scene.folder, 'large'));
  const args = ['sourcemaps', 'upload', 'large', '--no-rewrite'];
  const killed = new AbortController();
  const passing = await openProxy(scene.url, { requestsMax: 1, onHeld: () => killed.abort() });
  const { code } = await scene.run(args, { as: 'person', url: passing.url, signal: killed.signal });
  await passing.close();
  expectThat(code !== 0, 'a client that was killed');

  const open = await openProxy(scene.url, { requestsMax: Number.POSITIVE_INFINITY, onHeld: () => {} });
  const again = await scene.run(args, { as: 'person', url: open.url });
  await open.close();
  expectExit(again, 0, args.join(' '));
  const [bundle] = await listBundles(scene);
  expectThat(bundle?.fileCount === 1, 'the upload');
  return { chunks: open.asked.size, first: passing.parts.size, second: open.parts.size };
}

function writeLargeScript(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'large.js'), `// ${randomBytes(RANDOM_BYTES).toString('base64')}\n`);
}

type Proxy = {
  url: string;
  /** Checksums of the parts whose requests were passed on. */
  parts: Set<string>;
  /** Checksums of all parts that the client asked to put together. */
  asked: Set<string>;
  close(): Promise<void>;
};

/** Passes requests on; of those with parts at most so many, and tells when it keeps one back. */
async function openProxy(
  target: string,
  { requestsMax, onHeld }: { requestsMax: number; onHeld: () => void },
): Promise<Proxy> {
  const parts = new Set<string>();
  const asked = new Set<string>();
  let passed = 0;
  const server: Server = createServer(async (message, response) => {
    const body: Buffer[] = [];
    for await (const chunk of message) body.push(chunk as Buffer);
    const bytes = Buffer.concat(body);
    const address = message.url ?? '';
    if (message.method === 'POST' && address.includes('/chunk-upload/')) {
      passed += 1;
      if (passed > requestsMax) {
        onHeld();
        return;
      }
      for (const [, checksum] of bytes.toString('latin1').matchAll(/filename="([0-9a-f]{40})"/g)) {
        parts.add(checksum!);
      }
    } else if (address.includes('/assemble/')) {
      const { chunks } = JSON.parse(bytes.toString('utf8')) as { chunks: string[] };
      for (const checksum of chunks) asked.add(checksum);
    }
    const upstream = httpRequest(
      new URL(address, target),
      { method: message.method, headers: message.headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    upstream.on('error', () => response.destroy());
    upstream.end(bytes);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    parts,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
