import { acceptAttachments } from './accept/accept-attachments.ts';
import { acceptCheckIn } from './accept/accept-check-in.ts';
import { acceptEnvelope } from './accept/accept-envelope.ts';
import { acceptFeedbackForm } from './accept/accept-feedback-form.ts';
import { acceptMinidump } from './accept/accept-minidump.ts';
import { acceptOtlp } from './accept/accept-otlp.ts';
import { acceptNel, acceptSecurityReport } from './accept/accept-reports.ts';
import { acceptStore } from './accept/accept-store.ts';
import { acceptUnreal } from './accept/accept-unreal.ts';
import type { IngestAnswer, IngestDeps, IngestRequest } from './accept/ingest-request.ts';

/** How an accepted request is answered. */
export type AnswerForm =
  /** `{"id": …}` or `{}`. */
  | 'json id'
  /** The id with dashes, as text. */
  | 'text id'
  /** A transparent pixel when it was asked by GET; else as `json id`. */
  | 'pixel or json id'
  /** An empty message of the encoding that was sent. */
  | 'otlp'
  | 'empty 200'
  | 'empty 201'
  | 'empty 202';

export type IngestRoute = {
  /** For metrics. */
  name: string;
  methods: readonly ('GET' | 'POST')[];
  form: AnswerForm;
  /** Crash reporters and browsers would only send it again: they are not told of limits. */
  hidesLimits: boolean;
  projectId: number | null;
  /** From the path; null where the route has none. */
  pathKey: string | null;
  accept(deps: IngestDeps, request: IngestRequest): Promise<IngestAnswer>;
};

const POST = ['POST'] as const;
const GET_AND_POST = ['GET', 'POST'] as const;

type Shape = Omit<IngestRoute, 'projectId' | 'pathKey'>;

const shape = (
  name: string,
  form: AnswerForm,
  accept: Shape['accept'],
  marks: Partial<Shape> = {},
): Shape => ({
  name,
  methods: POST,
  form,
  hidesLimits: false,
  accept,
  ...marks,
});

const HIDES_LIMITS = { hidesLimits: true };
const ENVELOPE = shape('envelope', 'json id', acceptEnvelope);
const STORE = shape('store', 'pixel or json id', acceptStore, { methods: GET_AND_POST });
const SECURITY = shape('security', 'empty 200', acceptSecurityReport);
const TRACES = shape('otlp_traces', 'otlp', (deps, request) => acceptOtlp(deps, request, 'otlp_traces'));
const LOGS = shape(
  'otlp_logs',
  'otlp',
  (deps, request) => acceptOtlp(deps, request, 'otlp_logs'),
  HIDES_LIMITS,
);
const METRICS = shape(
  'otlp_metrics',
  'otlp',
  (deps, request) => acceptOtlp(deps, request, 'otlp_metrics'),
  HIDES_LIMITS,
);

/** By what follows `/api/<project>/`. */
const FIXED: ReadonlyMap<string, Shape> = new Map([
  ['envelope', ENVELOPE],
  ['store', STORE],
  ['security', SECURITY],
  ['csp-report', SECURITY],
  ['feedback-form', shape('feedback_form', 'json id', acceptFeedbackForm)],
  ['nel', shape('nel', 'empty 200', acceptNel, HIDES_LIMITS)],
  ['minidump', shape('minidump', 'text id', acceptMinidump, HIDES_LIMITS)],
  ['otlp/v1/traces', TRACES],
  ['otlp/v1/logs', LOGS],
  ['otlp/v1/metrics', METRICS],
  ['integration/otlp/v1/traces', TRACES],
  ['integration/otlp/v1/logs', LOGS],
  ['integration/otlp/v1/metrics', METRICS],
]);

/** `0` is the web API. */
/** Numbers of projects that an import brought have up to 16 digits. */
const PROJECT_PATH = /^\/api\/([1-9]\d{0,15})\/([a-z].*?)\/?$/;
const CRON = /^cron\/([^/]+)(?:\/([^/]+))?$/;
const ATTACHMENTS = /^events\/([^/]+)\/attachments$/;
const UNREAL = /^unreal\/([^/]+)$/;

/**
 * The ingest route of a path, without its query; null when it is none. A slash at the end is optional everywhere, and
 * several slashes are one. Source: relay-server/src/endpoints/mod.rs, middlewares/normalize_path.rs.
 */
export function findIngestRoute(path: string): IngestRoute | null {
  const known = knownRoutes.get(path);
  if (known) return known;
  const route = readRoute(path);
  if (route && path.length <= KNOWN_PATH_CHARACTERS_MAX) {
    if (knownRoutes.size >= KNOWN_ROUTES_MAX) knownRoutes.clear();
    knownRoutes.set(path, route);
  }
  return route;
}

/** An SDK sends to the same path with every envelope. */
const knownRoutes = new Map<string, IngestRoute>();
/** Paths whose route is cached. */
const KNOWN_ROUTES_MAX = 1_000;
/** Longer paths are not cached. */
const KNOWN_PATH_CHARACTERS_MAX = 100;

function readRoute(path: string): IngestRoute | null {
  const match = PROJECT_PATH.exec(path);
  if (!match) {
    if (path === '/api/store/' || path === '/api/store') return { ...STORE, projectId: null, pathKey: null };
    return path.includes('//') ? findIngestRoute(path.replaceAll(/\/{2,}/g, '/')) : null;
  }
  const [, project = '', rest = ''] = match;
  const found = FIXED.get(rest) ?? findWithParts(rest);
  if (found) return { pathKey: null, ...found, projectId: Number(project) };
  return path.includes('//') ? findIngestRoute(path.replaceAll(/\/{2,}/g, '/')) : null;
}

function findWithParts(rest: string): (Shape & { pathKey?: string | null }) | null {
  const cron = CRON.exec(rest);
  if (cron) {
    const slug = decode(cron[1]);
    const pathKey = cron[2] === undefined ? null : decode(cron[2]);
    return {
      ...shape('cron', 'empty 202', (deps, request) => acceptCheckIn(deps, request, slug), {
        methods: GET_AND_POST,
        hidesLimits: true,
      }),
      pathKey,
    };
  }
  const attachments = ATTACHMENTS.exec(rest);
  if (attachments) {
    const eventId = decode(attachments[1]);
    return shape('attachments', 'empty 201', (deps, request) => acceptAttachments(deps, request, eventId));
  }
  const unreal = UNREAL.exec(rest);
  if (!unreal) return null;
  return { ...shape('unreal', 'text id', acceptUnreal, HIDES_LIMITS), pathKey: decode(unreal[1]) };
}

/** As it is when it is not encoded well. */
function decode(part: string | undefined): string {
  try {
    return decodeURIComponent(part ?? '');
  } catch {
    return part ?? '';
  }
}
