import { REQUEST_BOUNDS } from '../request-bounds.ts';
import type { ItemFacts } from '../spool-record.ts';
import { isRefused, requireOpenKey } from './authenticate.ts';
import { collectOne, makeEventId } from './collected.ts';
import { type IngestAnswer, type IngestDeps, type IngestRequest, Refusal } from './ingest-request.ts';
import { spoolRequest } from './spool-request.ts';

/** Source: relay-server/src/endpoints/security_report.rs; `reports+json` is the Reporting API of browsers. */
const SECURITY_TYPES: ReadonlySet<string> = new Set([
  'application/json',
  'application/csp-report',
  'application/expect-ct-report',
  'application/expect-ct-report+json',
  'application/expect-staple-report',
  'application/reports+json',
]);
/** Source: relay-server/src/endpoints/nel.rs. */
const NEL_TYPES: ReadonlySet<string> = new Set(['application/json', 'application/reports+json']);

/** Accepts `POST /api/<project>/security/` and `…/csp-report/`: what browsers report of broken policies. */
export const acceptSecurityReport = (deps: IngestDeps, request: IngestRequest): Promise<IngestAnswer> =>
  acceptReports(deps, request, 'raw_security', SECURITY_TYPES, {
    ...textFact('release', request.query.get('sentry_release')),
    ...textFact('environment', request.query.get('sentry_environment')),
  });

/** Accepts `POST /api/<project>/nel/`: network errors that browsers report. */
export const acceptNel = (deps: IngestDeps, request: IngestRequest): Promise<IngestAnswer> =>
  acceptReports(deps, request, 'nel', NEL_TYPES, {});

async function acceptReports(
  deps: IngestDeps,
  request: IngestRequest,
  type: 'raw_security' | 'nel',
  contentTypes: ReadonlySet<string>,
  facts: ItemFacts,
): Promise<IngestAnswer> {
  const contentType = mediaType(request);
  const key = await requireOpenKey(deps, request, type);
  if (isRefused(key)) return key;
  return spoolRequest(deps, request, key, type, async (reading) => {
    if (!contentTypes.has(contentType)) {
      throw new Refusal(
        415,
        `The content type "${contentType.slice(0, 80)}" is not a report type: send ${[...contentTypes].join(' or ')}`,
        'invalid_content_type',
      );
    }
    const body = await reading.takeWhole(REQUEST_BOUNDS.eventBytesMax);
    // A list of reports becomes an event each in digest; the first has the id that is answered.
    return collectOne(type, body, makeEventId(), { ...facts, contentType });
  });
}

/** Lower case, without parameters. */
const mediaType = ({ message }: IngestRequest): string =>
  (message.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';

/** Release and environment of a security report, each. */
const FACT_CHARACTERS_MAX = 250;

const textFact = (name: 'release' | 'environment', value: string | null): ItemFacts =>
  value ? { [name]: value.slice(0, FACT_CHARACTERS_MAX) } : {};
