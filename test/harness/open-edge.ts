import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import type { AddressInfo, BlockList } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import type { KeyAdmission } from '#domain/projects.ts';
import { createEdgeMetrics } from '#ingest/edge-metrics.ts';
import { createEdgeServer, type EdgeServerDeps } from '#ingest/http-server.ts';
import { MemoryBudget } from '#ingest/memory-budget.ts';
import { RateLimiter } from '#ingest/rate-limits/rate-limiter.ts';
import { REQUEST_BOUNDS } from '#ingest/request-bounds.ts';
import { decodeRecord, type IngestRecord, type RecordOutcome } from '#ingest/spool-record.ts';
import { unavailable, undecided } from '#lib/errors.ts';
import { createLog } from '#lib/log.ts';
import type { Quota } from '#protocol/rate-limits.ts';
import { openDiskBlobStore } from '#storage/disk/blob-store.ts';
import type { BlobStore } from '#storage/ports/blobs.ts';

export const EDGE_KEY = 'b70a31b3510c4cf793964a185cfe1fd0';
export const EDGE_PROJECT = 42;
export const EDGE_PUBLIC_URL = 'https://errors.example.com';
export const EDGE_METRICS_TOKEN = 'token-of-the-metrics-0123456789abcdef';

export type OpenEdge = {
  url: string;
  port: number;
  /** What the spool was given, oldest first. */
  records: IngestRecord[];
  /** Outcomes of rejected requests. */
  refused: Omit<RecordOutcome, 'at'>[];
  blobs: BlobStore;
  /** Files below the blob store, those that are being written included. */
  blobFiles(): string[];
  /** How many blobs were begun, also those that were given up. */
  blobsBegun(): number;
  memory: MemoryBudget;
  /** Lets the next appends fail: as a full disk does, or as a broker that takes the record and is too late to say so. */
  breakSpool(how?: 'full' | 'late'): void;
  mendSpool(): void;
  close(): Promise<void>;
};

/**
 * The real server of the edge on a free port, with a blob store on disk, a key that it knows and a spool that keeps
 * its records in memory.
 */
export async function openEdge(
  options: {
    quotas?: readonly Quota[];
    /** As the key of errata-self. */
    isInternal?: boolean;
    hasFeedbackForm?: boolean;
    /** The number that DSNs of the installation which the key came from name. */
    formerProjectId?: number;
    blobRoom?: EdgeServerDeps['blobRoom'];
    limits?: EdgeServerDeps['limits'];
    memoryBytesMax?: number;
    tunnelRegions?: ReadonlyMap<string, string>;
    /** Of a server that stands for the pages. */
    webPort?: number;
    trustedProxies?: BlockList;
    checkHealth?: EdgeServerDeps['checkHealth'];
    underWay?: EdgeServerDeps['underWay'];
  } = {},
): Promise<OpenEdge> {
  const folder = mkdtempSync(path.join(tmpdir(), 'errata-edge-'));
  const key: KeyAdmission = {
    keyId: 3,
    projectId: EDGE_PROJECT,
    organizationId: 1,
    publicKey: EDGE_KEY,
    isActive: true,
    isInternal: options.isInternal ?? false,
    hasFeedbackForm: options.hasFeedbackForm ?? false,
    formerProjectId: options.formerProjectId ?? null,
    quotas: options.quotas ?? [],
  };
  const records: IngestRecord[] = [];
  const refused: OpenEdge['refused'] = [];
  const blobs = openDiskBlobStore(path.join(folder, 'blobs'));
  const memory = new MemoryBudget(options.memoryBytesMax);
  let broken: 'full' | 'late' | null = null;
  let blobsBegun = 0;
  const server = createEdgeServer({
    keys: { find: (publicKey) => (publicKey === EDGE_KEY ? { kind: 'found', key } : { kind: 'unknown' }) },
    spool: {
      async append(pieces) {
        if (broken === 'full') throw unavailable('The spool is full: try again later');
        records.push(decodeRecord(Buffer.concat(pieces)));
        if (broken === 'late') throw undecided('The spool is not responding: try again later');
        return records.length;
      },
      sizeBytes: () => 0,
      bytesMax: 1_000_000,
      trouble: () => null,
      close: async () => {},
    },
    outcomes: {
      add: (_key, category, outcome, reason, quantity = 1) =>
        void refused.push({ category, outcome, reason, quantity }),
    },
    blobs: {
      create: (blobKey) => {
        blobsBegun += 1;
        return blobs.create(blobKey);
      },
      delete: (blobKey) => blobs.delete(blobKey),
    },
    memory,
    rateLimiter: new RateLimiter(),
    ...(options.blobRoom && { blobRoom: options.blobRoom }),
    log: createLog('edge', 'fatal'),
    metrics: createEdgeMetrics(),
    trustedProxies: options.trustedProxies ?? null,
    publicUrl: EDGE_PUBLIC_URL,
    metricsToken: EDGE_METRICS_TOKEN,
    tunnelRegions: options.tunnelRegions ?? new Map(),
    webPort: () => options.webPort ?? null,
    checkHealth: options.checkHealth ?? (async () => ({})),
    checkIngest: () => ({ ok: true, detail: '' }),
    ...(options.limits && { limits: options.limits }),
    ...(options.underWay && { underWay: options.underWay }),
  });
  server.listen({ port: 0, host: '127.0.0.1', backlog: REQUEST_BOUNDS.backlogMax });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    records,
    refused,
    blobs,
    blobFiles: () =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.join(entry.parentPath, entry.name)),
    blobsBegun: () => blobsBegun,
    memory,
    breakSpool(how = 'full') {
      broken = how;
    },
    mendSpool() {
      broken = null;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** POSTs with the key in `X-Sentry-Auth`, unless told otherwise. */
export function send(
  edge: OpenEdge,
  route: string,
  body: string | Uint8Array | FormData | null,
  options: { headers?: Record<string, string>; method?: string; auth?: boolean } = {},
): Promise<Response> {
  return fetch(`${edge.url}${route}`, {
    method: options.method ?? 'POST',
    headers: {
      ...(options.auth === false ? {} : { 'x-sentry-auth': `Sentry sentry_key=${EDGE_KEY}` }),
      ...options.headers,
    },
    body: body instanceof Uint8Array ? new Uint8Array(body) : body,
  });
}

/** That a request was refused with a reason, which also browsers may read. */
export async function expectRefusal(response: Response, status: number, reason: RegExp): Promise<void> {
  expect([response.status, await response.json()]).toEqual([
    status,
    { detail: expect.stringMatching(reason) },
  ]);
  expect(response.headers.get('x-sentry-error')).toMatch(reason);
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
}

/** The items of a record, with their payloads as text. */
export const itemsOf = (record: IngestRecord | undefined) =>
  (record?.items ?? []).map(({ type, payload, facts }) => ({
    type,
    payload: Buffer.from(payload).toString(),
    ...(facts && { facts }),
  }));
