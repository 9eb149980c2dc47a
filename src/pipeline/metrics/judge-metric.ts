import type { DigestedMetric } from '#protocol/telemetry.ts';
import { attributesOf } from '../telemetry/attributes.ts';
import type { Judge, RowFacts } from '../telemetry/row-collector.ts';
import { readMetricName, readUnit } from './parse-statsd-line.ts';

/** One value of a metric of any format that has attributes, read but not yet judged. */
export type MetricFacts = RowFacts & {
  source: DigestedMetric['source'];
  /** As it was sent. */
  name: unknown;
  /** null when it is none that is known. */
  type: DigestedMetric['type'] | null;
  /** As it was sent. */
  unit: unknown;
  /** null when it is no finite number. */
  value: number | null;
};

export const judgeMetric: Judge<MetricFacts, DigestedMetric> = (facts, { rules: { scrubber } }) => {
  const { type, value, source, attributes } = facts;
  // Before it is written anew: what made a secret known may be lost then.
  const name = readMetricName(scrubber.scrubKnown(facts.name));
  if (name === null || type === null || value === null) return 'invalid_trace_metric';
  return (columns) => {
    const scrubbed = scrubber.scrubRecord('metric', { name, attributes: attributes.toRecord() });
    const unit = readUnit(scrubber.scrubKnown(facts.unit));
    return { ...columns(attributesOf(scrubbed.attributes)), name, type, unit, value, source };
  };
};
