import type { IncomingHttpHeaders } from 'node:http';
import type { KeyAdmission } from '#domain/projects.ts';
import { parseIngestAuth } from '#protocol/auth.ts';
import { parseDsn } from '#protocol/dsn.ts';
import type { EnvelopeHeader } from '#protocol/envelope.ts';
import { categoryOf } from '../item-types.ts';
import type { KeyLookup } from '../key-table.ts';
import { type IngestDeps, type IngestRequest, Refusal, type Refused } from './ingest-request.ts';

const MISSING_AUTH =
  'No key was sent: send the X-Sentry-Auth header, ?sentry_key=, or the DSN in the envelope header';

/** The key that the headers, the query or the path name; null when they name none (an envelope's header may). */
export async function authenticate(
  deps: IngestDeps,
  request: IngestRequest,
): Promise<KeyAdmission | Refused | null> {
  if (request.tunnel) return null;
  const { headers } = request.message;
  const auth = parseIngestAuth(
    { xSentryAuth: headerText(headers, 'x-sentry-auth'), authorization: headers.authorization },
    request.query,
    request.pathKey,
  );
  if (auth.kind === 'none') return null;
  if (auth.kind === 'refused') return { status: auth.status, detail: auth.detail };
  try {
    return await admitKey(deps, auth.publicKey, request.projectId);
  } catch (error) {
    if (error instanceof Refusal) return { status: error.status, detail: error.message };
    throw error;
  }
}

/** For routes whose body cannot name a key, and that take what is no error: the built-in project takes none of it. */
export async function requireOpenKey(
  deps: IngestDeps,
  request: IngestRequest,
  /** Item type that a refused request counts as. */
  type: string,
): Promise<KeyAdmission | Refused> {
  const key = await requireKey(deps, request);
  if (isRefused(key) || !key.isInternal) return key;
  deps.outcomes.add(key, categoryOf(type), 'invalid', 'errors_only');
  return { status: 403, detail: ERRORS_ONLY };
}

export const ERRORS_ONLY =
  'The built-in project errata-self accepts only errors: create a separate project for everything else';

/** For routes whose body cannot name a key. */
export async function requireKey(deps: IngestDeps, request: IngestRequest): Promise<KeyAdmission | Refused> {
  return (await authenticate(deps, request)) ?? { status: 401, detail: MISSING_AUTH };
}

export const isRefused = (found: KeyAdmission | Refused | null): found is Refused =>
  found !== null && 'status' in found;

/**
 * The DSN of the envelope's header must name the same key and project as the request; without a key in the request it
 * names the key. Synchronous in the common case. Throws and rejects with Refusal.
 */
export function matchDsn(
  deps: IngestDeps,
  request: IngestRequest,
  key: KeyAdmission | null,
  header: EnvelopeHeader,
): KeyAdmission | Promise<KeyAdmission> {
  if (header.dsn === null) {
    if (!key) throw new Refusal(401, MISSING_AUTH);
    return key;
  }
  const dsn = parseDsn(header.dsn);
  if (!dsn)
    throw new Refusal(400, 'The dsn in the envelope header is not a valid DSN: check it', 'invalid_dsn');
  const projectId = request.projectId ?? key?.projectId ?? dsn.projectId;
  const isOfProject = dsn.projectId === projectId || (key !== null && isProjectOf(key, dsn.projectId));
  if ((key && dsn.publicKey.toLowerCase() !== key.publicKey) || !isOfProject) {
    throw new Refusal(
      400,
      'The dsn in the envelope header does not match the DSN of the request: use the same DSN for both',
      'dsn_mismatch',
    );
  }
  if (key) return key;
  const { tunnel } = request;
  const admitted = admitKey(deps, dsn.publicKey.toLowerCase(), dsn.projectId);
  if (!tunnel) return admitted;
  return Promise.resolve(admitted).then((found) => {
    if (found.organizationId === tunnel.organizationId) return found;
    throw new Refusal(
      400,
      `Organization ${tunnel.organizationId} does not own the key: check o and p`,
      'organization_mismatch',
    );
  });
}

/** Throws and rejects with Refusal. */
function admitKey(
  deps: IngestDeps,
  publicKey: string,
  projectId: number | null,
): KeyAdmission | Promise<KeyAdmission> {
  const found = deps.keys.find(publicKey);
  return found instanceof Promise
    ? found.then((lookup) => checkKey(deps, lookup, publicKey, projectId))
    : checkKey(deps, found, publicKey, projectId);
}

function checkKey(
  deps: IngestDeps,
  lookup: KeyLookup,
  publicKey: string,
  projectId: number | null,
): KeyAdmission {
  const short = `${publicKey.slice(0, 6)}…`;
  if (lookup.kind === 'unavailable') {
    throw new Refusal(
      503,
      `Key ${short} cannot be verified while the database is unavailable: try again later`,
    );
  }
  if (lookup.kind === 'unknown')
    throw new Refusal(403, `Key ${short} does not belong to any project: check the DSN`);
  const { key } = lookup;
  if (projectId !== null && !isProjectOf(key, projectId)) {
    deps.outcomes.add(key, 'error', 'invalid', 'project_mismatch');
    throw new Refusal(403, `Project ${projectId} not found for key ${short}: check the DSN`);
  }
  if (!key.isActive) {
    deps.outcomes.add(key, 'error', 'invalid', 'disabled_key');
    throw new Refusal(
      403,
      `Key ${short} is disabled: enable it in the project's settings, or use another DSN`,
    );
  }
  return key;
}

/** DSNs of an imported key name the project by the number that it had. */
const isProjectOf = (key: KeyAdmission, projectId: number): boolean =>
  projectId === key.projectId || projectId === key.formerProjectId;

const headerText = (headers: IncomingHttpHeaders, name: string): string | undefined => {
  const value = headers[name];
  return Array.isArray(value) ? value.join(',') : value;
};
