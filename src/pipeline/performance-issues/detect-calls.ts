import { extensionOf, pathOf } from '../traces/url-key.ts';
import { bytesOf, type Detector, longestUs, NO_MEASURES, splitRuns, sumUs } from './detector.ts';
import type { CallSpan } from './prepare-transaction.ts';
import { THRESHOLDS } from './thresholds.ts';

/** Addresses that the fingerprint of one run names. */
const FINGERPRINT_CALLS_MAX = 10;

/** Transactions of browsers and apps. */
const UI_OPS: ReadonlySet<string> = new Set(['navigation', 'pageload', 'ui.load', 'ui.action']);

/** Many requests at once for items of the same kind. */
export const detectNPlusOneCalls: Detector = ({ transaction, nameKey, calls }) => {
  if (!UI_OPS.has(transaction.op)) return [];
  const { countMin, gapMaxMs, durationMinMs } = THRESHOLDS.nPlusOneCalls;
  const groups = Map.groupBy(calls.filter(isOfItem), ({ key }) => key);
  return [...groups]
    .flatMap(([key, group]) =>
      splitRuns(group, (previous, next) => next.start - previous.start <= gapMaxMs * 1_000).map(
        (run) => [key, run] as const,
      ),
    )
    .filter(([, run]) => run.length >= countMin && sumUs(run) >= durationMinMs * 1_000)
    .map(([key, run]) => ({
      ...NO_MEASURES,
      type: 'performance_n_plus_one_api_calls',
      fingerprint: [nameKey, key],
      description: `GET ${key}`,
      offenders: run.map(({ span }) => span),
      cause: null,
    }));
};

const isOfItem = ({ method, url }: CallSpan): boolean =>
  method === 'GET' && !/graphql/i.test(url) && !isOfFramework(url) && !isStaticFile(url);

/** Files of Next.js, which asks for them as it sees fit. */
const isOfFramework = (url: string): boolean => /\/?_next\/(?:static|data)\//.test(url);

/** JSON is data also where it is a file. */
const isStaticFile = (url: string): boolean => !['', 'json'].includes(extensionOf(url));

const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'DELETE', 'PUT', 'PATCH']);

/** Slow requests one after the other, although each could run beside the others. */
export const detectConsecutiveCalls: Detector = ({ transaction, nameKey, calls }) => {
  // Between the requests of a page, the browser is busy with what no span shows.
  if (transaction.op === 'pageload' || transaction.op === 'navigation') return [];
  const { countMin, spanMinMs, gapMaxMs, savedMinMs } = THRESHOLDS.consecutiveCalls;
  const isSlow = ({ start, end }: CallSpan) => end - start >= spanMinMs * 1_000;
  const considered = calls.filter(
    ({ method, url }) =>
      METHODS.has(method) && !isOfFramework(url) && !url.includes('aiplatform.googleapis.com'),
  );
  return splitRuns(considered, (previous, next) => {
    const gapUs = next.start - previous.end;
    return isSlow(previous) && isSlow(next) && gapUs >= 0 && gapUs <= gapMaxMs * 1_000;
  })
    .filter((run) => run.length >= countMin && sumUs(run) - longestUs(run) >= savedMinMs * 1_000)
    .map((run) => {
      const keys = [...new Set(run.map(({ method, key }) => `${method} ${key}`))];
      return {
        ...NO_MEASURES,
        type: 'performance_consecutive_http',
        fingerprint: [nameKey, ...keys.slice(0, FINGERPRINT_CALLS_MAX)],
        description: keys[0] ?? '',
        offenders: run.map(({ span }) => span),
        cause: null,
        savableUs: sumUs(run) - longestUs(run),
      };
    });
};

/** An answer that is large. */
export const detectLargePayloads: Detector = ({ calls }) => {
  const { sizeMinBytes, durationMinMs } = THRESHOLDS.largePayload;
  return calls.flatMap(({ span, start, end, method, url, key }) => {
    if (end - start < durationMinMs * 1_000 || isStaticFile(url)) return [];
    if (/^\/?_next\/(?:static|data)\//.test(pathOf(url))) return [];
    const bytes = bytesOf(span, 'http.response_content_length', 'http.response.body.size');
    if (bytes === null || bytes <= sizeMinBytes) return [];
    return {
      ...NO_MEASURES,
      type: 'performance_large_http_payload',
      fingerprint: [key],
      description: `${method} ${key}`,
      offenders: [span],
      cause: null,
      bytes,
    };
  });
};
