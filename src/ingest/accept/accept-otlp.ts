import { REQUEST_BOUNDS } from '../request-bounds.ts';
import { isRefused, requireOpenKey } from './authenticate.ts';
import { collectOne } from './collected.ts';
import { type IngestAnswer, type IngestDeps, type IngestRequest, Refusal } from './ingest-request.ts';
import { spoolRequest } from './spool-request.ts';

export const OTLP_PROTOBUF = 'application/x-protobuf';
export const OTLP_JSON = 'application/json';

/** The encoding of an OTLP request, and so of its answer; null when it is neither. */
export function otlpContentType({ message }: IngestRequest): typeof OTLP_PROTOBUF | typeof OTLP_JSON | null {
  const type = (message.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  return type === OTLP_PROTOBUF || type === OTLP_JSON ? type : null;
}

/**
 * Accepts `POST /api/<project>/integration/otlp/v1/traces`, `…/logs` and `…/metrics`.
 * Sources: relay-server/src/endpoints/integrations/otlp.rs and https://opentelemetry.io/docs/specs/otlp/#otlphttp.
 */
export async function acceptOtlp(
  deps: IngestDeps,
  request: IngestRequest,
  type: 'otlp_traces' | 'otlp_logs' | 'otlp_metrics',
): Promise<IngestAnswer> {
  const key = await requireOpenKey(deps, request, type);
  if (isRefused(key)) return key;
  return spoolRequest(deps, request, key, type, async (reading) => {
    const contentType = otlpContentType(request);
    if (contentType === null) {
      throw new Refusal(
        415,
        `OTLP must be sent as ${OTLP_PROTOBUF} or ${OTLP_JSON}: set the exporter's protocol to one of them`,
        'invalid_content_type',
      );
    }
    const body = await reading.takeWhole(REQUEST_BOUNDS.otlpBytesMax);
    return collectOne(type, body, null, { contentType });
  });
}
