import type { DigestedSpan } from '#protocol/telemetry.ts';
import { bytesOf, type Detector, NO_MEASURES } from './detector.ts';
import { THRESHOLDS } from './thresholds.ts';

/** Size as transferred, without headers; the second name is that of older SDKs. */
const encodedBytes = (span: DigestedSpan): number | null =>
  bytesOf(span, 'http.response_content_length', 'Encoded Body Size');
const decodedBytes = (span: DigestedSpan): number | null =>
  bytesOf(span, 'http.decoded_response_content_length', 'Decoded Body Size');

/** A script or style sheet that was sent as it is, although the browser takes compressed ones. */
export const detectUncompressedAssets: Detector = ({ assets }) => {
  const { sizeMinBytes, durationMinMs } = THRESHOLDS.uncompressedAsset;
  if (!assets.some(({ span }) => isCompressed(span))) return [];
  return assets.flatMap(({ span, start, end, key }) => {
    const bytes = encodedBytes(span);
    if (bytes === null || bytes < sizeMinBytes || decodedBytes(span) !== bytes) return [];
    if (end - start < durationMinMs * 1_000) return [];
    return {
      ...NO_MEASURES,
      type: 'performance_uncompressed_assets',
      fingerprint: [key],
      description: key,
      offenders: [span],
      cause: null,
      bytes,
    };
  });
};

function isCompressed(span: DigestedSpan): boolean {
  const encoded = encodedBytes(span);
  const decoded = decodedBytes(span);
  return encoded !== null && decoded !== null && encoded > 0 && encoded < decoded;
}

/** A large script or style sheet that the page waits for before it shows anything. */
export const detectRenderBlockingAssets: Detector = ({ transaction, assets }) => {
  const { sizeMinBytes, fcpMinMs, fcpMaxMs, fcpShareMin } = THRESHOLDS.renderBlockingAsset;
  const fcpMs = Object.hasOwn(transaction.measurements, 'fcp') ? transaction.measurements.fcp : undefined;
  if (fcpMs === undefined || fcpMs < fcpMinMs || fcpMs > fcpMaxMs) return [];
  return assets.flatMap(({ span, start, end, key }) => {
    const status = span.attributes['resource.render_blocking_status'];
    const bytes = encodedBytes(span);
    if ((status !== undefined && status !== 'blocking') || bytes === null || bytes <= sizeMinBytes) return [];
    const isBeforePaint = end - transaction.startedAtUs <= fcpMs * 1_000;
    if (!isBeforePaint || end - start < fcpMs * 1_000 * fcpShareMin) return [];
    return {
      ...NO_MEASURES,
      type: 'performance_render_blocking_asset_span',
      fingerprint: [key],
      description: key,
      offenders: [span],
      cause: null,
      savableUs: end - start,
      bytes,
      fcpMs,
    };
  });
};
