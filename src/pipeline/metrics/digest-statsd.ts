import type { DigestedMetric } from '#protocol/telemetry.ts';
import { type DigestItem, discarded, type ItemContext, NOTHING } from '../item.ts';
import { ENVIRONMENT_CHARS_MAX, RELEASE_CHARS_MAX } from '../normalize/limits.ts';
import { cutText } from '../normalize/safe-text.ts';
import { AttributeSet, attributesOf, attributeText } from '../telemetry/attributes.ts';
import { placeInTime, TIMESTAMP_PROBLEM } from '../telemetry/clock.ts';
import { OutcomeTally } from '../telemetry/container.ts';
import { ELEMENTS_MAX } from '../telemetry/limits.ts';
import { originOf, rowIdOf } from '../telemetry/row-identity.ts';
import { parseStatsdLine, type StatsdLine } from './parse-statsd-line.ts';

/**
 * Understands metrics as text, one to a line. Every line counts once; its values are rows. Lines and values beyond the
 * bound are counted as `too_many_items`, a line that cannot be read as `invalid_statsd`.
 */
export const digestStatsd: DigestItem = (item, context) => {
  const lines = Buffer.from(item.payload.buffer, item.payload.byteOffset, item.payload.byteLength)
    .toString('utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length === 0) return discarded('statsd', 'no_data');
  const tally = new OutcomeTally('statsd');
  const metrics: DigestedMetric[] = [];
  let index = 0;
  for (const text of lines) {
    if (index >= ELEMENTS_MAX) {
      tally.count('invalid', 'too_many_items');
      continue;
    }
    const line = parseStatsdLine(context.rules.scrubber.scrubKnown(text));
    if (line === null) {
      tally.count('invalid', 'invalid_statsd');
      continue;
    }
    const shared = rowOf(line, context);
    const filter = context.rules.filters.filterSender({ release: shared.release, userAgent: null }, context);
    tally.count(filter === null ? 'accepted' : 'filtered', filter ?? '');
    for (const value of line.values) {
      const rowId = rowIdOf(item.itemId, index);
      index += 1;
      if (filter === null) metrics.push({ ...shared, rowId, value });
    }
  }
  return { ...NOTHING, rows: { metrics }, outcomes: tally.outcomes };
};

function rowOf(line: StatsdLine, context: ItemContext): Omit<DigestedMetric, 'rowId' | 'value'> {
  const sentAtUs = line.timestamp === null ? context.receivedAtMs * 1_000 : line.timestamp * 1_000_000;
  const { shiftUs, problem } =
    line.timestamp === null ? { shiftUs: 0, problem: null } : placeInTime(sentAtUs, context);
  const collected = new AttributeSet(false);
  for (const [key, value] of line.tags) collected.set(key, value);
  for (const [key, value] of Object.entries(line.gauge ?? {})) collected.set(`statsd.${key}`, value);
  if (problem !== null) collected.set(TIMESTAMP_PROBLEM, problem);
  const scrubbed = context.rules.scrubber.scrubRecord('metric', {
    name: line.name,
    attributes: collected.toRecord(),
  });
  const attributes = attributesOf(scrubbed.attributes);
  const column = (key: string, charsMax: number): string | null =>
    cutText(attributeText(attributes, key) ?? '', charsMax) || null;
  return {
    ...originOf(context),
    occurredAtUs: sentAtUs + shiftUs,
    name: line.name,
    type: line.type,
    unit: line.unit,
    traceId: null,
    spanId: null,
    source: 'statsd',
    release: column('release', RELEASE_CHARS_MAX),
    environment: column('environment', ENVIRONMENT_CHARS_MAX),
    attributes,
  };
}
