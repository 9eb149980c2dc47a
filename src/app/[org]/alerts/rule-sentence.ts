import { describeFilter, describeMetric, describeTrigger } from '#product/alerts/describe-alert-rule.ts';
import type { AlertRule } from '#storage/ports/alert-rules.ts';

/** What people and teams are called. */
export type NameOf = NonNullable<Parameters<typeof describeFilter>[1]>;

/** What makes the rule fire, without a full stop: "A new issue is created, if the level is error or higher". */
export function ruleSentence(
  { definition, environment }: Pick<AlertRule, 'definition' | 'environment'>,
  nameOf: NameOf,
): string {
  const where = environment === null ? '' : ` in ${environment}`;
  if (definition.kind === 'metric') {
    const of = definition.query === '' ? '' : `, of ${definition.query}`;
    return `${describeMetric(definition)}${where}${of}`;
  }
  const [first = '', ...others] = definition.triggers.map(describeTrigger);
  const when = [first, ...others.map(withinSentence)].join(' or ');
  const filters = definition.filters.map((filter) => withinSentence(describeFilter(filter, nameOf)));
  if (filters.length === 0) return `${when}${where}`;
  const { before, between } = CONDITIONS[definition.filterMatch];
  return `${when}${where}${before}${filters.join(between)}`;
}

const CONDITIONS = {
  all: { before: ', if ', between: ' and ' },
  any: { before: ', if ', between: ' or ' },
  none: { before: ', unless ', between: ' or ' },
} as const;

const withinSentence = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
