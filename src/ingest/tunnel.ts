import { addressGroup } from '#lib/client-address.ts';
import { parseDsn } from '#protocol/dsn.ts';
import { acceptEnvelope } from './accept/accept-envelope.ts';
import type { IngestAnswer, IngestDeps, IngestRequest } from './accept/ingest-request.ts';
import { MemoryExceeded } from './memory-budget.ts';
import { BodyError, readWholeBody } from './read-body.ts';

/** Body of a request that is passed on to another region; larger ones are refused. */
const REGION_BODY_BYTES_MAX = 1024 * 1024;
const REGION_TIMEOUT_MS = 10_000;

/**
 * The same-origin tunnel: `POST /monitoring?o=<organization>&p=<project>[&r=<region>]` with an envelope. `o` and `p`
 * must own the key in the envelope's DSN. A region must be one that the operator configured; no address from a
 * request or an envelope is ever called.
 */
export async function acceptTunnel(
  deps: IngestDeps,
  regions: ReadonlyMap<string, string>,
  request: Pick<IngestRequest, 'message' | 'query' | 'clientIp'>,
): Promise<IngestAnswer> {
  const organizationId = readId(request.query.get('o'));
  const projectId = readId(request.query.get('p'));
  if (organizationId === null || projectId === null) {
    return {
      status: 400,
      detail: 'The tunnel needs o (organization ID) and p (project ID)',
    };
  }
  const region = request.query.get('r');
  if (region !== null) {
    const upstream = regions.get(region);
    if (!upstream) {
      return {
        status: 400,
        detail: `Region "${region.slice(0, 40)}" is not configured: see ERRATA_TUNNEL_REGIONS`,
      };
    }
    return forward(deps, upstream, projectId, request);
  }
  // The key is the envelope's own: credentials of the page's session or other headers mean nothing here.
  return acceptEnvelope(deps, {
    ...request,
    query: new URLSearchParams(),
    projectId,
    tunnel: { organizationId },
  });
}

/** The envelope's DSN decides the key there; the region's own edge checks it. */
async function forward(
  deps: IngestDeps,
  upstream: string,
  projectId: number,
  { message, clientIp }: Pick<IngestRequest, 'message' | 'clientIp'>,
): Promise<IngestAnswer> {
  const lease = deps.memory.open(addressGroup(clientIp));
  try {
    const body = await readWholeBody(message, REGION_BODY_BYTES_MAX, lease);
    return await send(upstream, projectId, body);
  } catch (error) {
    if (error instanceof BodyError) return { status: error.status, detail: error.message };
    if (error instanceof MemoryExceeded) return { status: 503, detail: error.message };
    throw error;
  } finally {
    lease.end();
  }
}

async function send(upstream: string, projectId: number, body: Buffer): Promise<IngestAnswer> {
  const dsn = readDsn(body);
  if (!dsn || dsn.projectId !== projectId) {
    return { status: 400, detail: 'The dsn in the envelope header is missing or belongs to another project' };
  }
  try {
    const answer = await fetch(`${upstream}/api/${projectId}/envelope/?sentry_key=${dsn.publicKey}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-sentry-envelope' },
      body: new Uint8Array(body),
      redirect: 'error',
      signal: AbortSignal.timeout(REGION_TIMEOUT_MS),
    });
    if (answer.ok) return { status: 200, eventId: null, limits: [] };
    if (answer.status === 429) return passLimits(answer);
    return { status: answer.status === 503 ? 503 : 400, detail: `The region returned ${answer.status}` };
  } catch {
    return { status: 503, detail: 'The region is unavailable: try again later' };
  }
}

function passLimits({ headers }: Response): IngestAnswer {
  const rateLimits = headers.get('x-sentry-rate-limits');
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return {
    status: 429,
    detail: 'The region is rate limited: try again later',
    ...(rateLimits && { rateLimits }),
    ...(Number.isSafeInteger(seconds) && { retryAfterSeconds: seconds }),
  };
}

function readDsn(body: Buffer): ReturnType<typeof parseDsn> {
  try {
    const newline = body.indexOf(10);
    const header: unknown = JSON.parse(body.toString('utf8', 0, newline === -1 ? body.length : newline));
    const dsn = (header as { dsn?: unknown } | null)?.dsn;
    return typeof dsn === 'string' ? parseDsn(dsn) : null;
  } catch {
    return null;
  }
}

const readId = (text: string | null): number | null =>
  text && /^\d{1,16}$/.test(text) ? Number(text) : null;
