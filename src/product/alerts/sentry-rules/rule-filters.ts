import type { AlertFilter, AlertTrigger } from '#domain/alerts/alert-rule.ts';
import { ISSUE_PRIORITIES, type IssuePriority } from '#domain/issues/issue.ts';
import { invalid } from '#lib/errors.ts';
import { ownValue } from '#lib/own-value.ts';
import { describeFilter, describeTrigger } from '#product/alerts/describe-alert-rule.ts';
import { LEVELS, type Level } from '#protocol/event.ts';
import { ALERT_ATTRIBUTES, type TextMatch } from '#protocol/event-filter.ts';

/** A condition, a filter or an action as Sentry writes it: `id` is its kind, the other fields depend on it. */
export type RulePart = { id: string } & Readonly<Record<string, unknown>>;

/** Source of the names and fields: src/sentry/rules of https://github.com/getsentry/sentry */
const CONDITIONS = 'sentry.rules.conditions';
const FILTERS = 'sentry.rules.filters';

const TRIGGER_IDS: Readonly<Record<AlertTrigger, string>> = {
  first_seen: `${CONDITIONS}.first_seen_event.FirstSeenEventCondition`,
  regression: `${CONDITIONS}.regression_event.RegressionEventCondition`,
  escalation: `${CONDITIONS}.reappeared_event.ReappearedEventCondition`,
  event: `${CONDITIONS}.every_event.EveryEventCondition`,
};

/** null for what is no trigger. */
export const readTrigger = ({ id }: RulePart): AlertTrigger | null =>
  (Object.keys(TRIGGER_IDS) as AlertTrigger[]).find((trigger) => TRIGGER_IDS[trigger] === id) ?? null;

export const writeTrigger = (trigger: AlertTrigger): RulePart => ({
  id: TRIGGER_IDS[trigger],
  name: describeTrigger(trigger),
});

const MATCH_NAMES: Readonly<Record<TextMatch, string>> = {
  equals: 'eq',
  not_equals: 'ne',
  contains: 'co',
  not_contains: 'nc',
  starts_with: 'sw',
  not_starts_with: 'nsw',
  ends_with: 'ew',
  not_ends_with: 'new',
  is_set: 'is',
  is_not_set: 'ns',
  is_one_of: 'in',
  is_not_one_of: 'nin',
};

const LEVEL_NUMBERS: Readonly<Record<Level, number>> = {
  fatal: 50,
  error: 40,
  warning: 30,
  info: 20,
  debug: 10,
};

const LEVEL_MATCHES = { equals: 'eq', at_least: 'gte', at_most: 'lte' } as const;
const TIME_MINUTES = { minute: 1, hour: 60, day: 1_440, week: 10_080 } as const;

const INTERVAL_MINUTES: Readonly<Record<string, number>> = {
  '1m': 1,
  '5m': 5,
  '15m': 15,
  '1h': 60,
  '1d': 1_440,
  '1w': 10_080,
  '30d': 43_200,
};

/** Of what makes issues here, and the feedback of users. */
const CATEGORY_NUMBERS = { error: '1', performance: '2', cron: '4', feedback: '6', uptime: '7' } as const;

const PRIORITY_NUMBERS: Readonly<Record<IssuePriority, string>> = { high: '75', medium: '50', low: '25' };

/** Throws Invalid for what Errata does not know, naming the part. */
export function readFilter(part: RulePart, field: string): AlertFilter {
  const kind = part.id.split('.').at(-1) ?? '';
  const read = ownValue(READERS, kind);
  if (read) return read(part, field);
  throw invalid(
    `"${field}": ${part.id.slice(0, 120)} is not supported; supported: ${Object.keys(READERS).join(', ')}`,
    field,
  );
}

type Reader = (part: RulePart, field: string) => AlertFilter;

const READERS: Readonly<Record<string, Reader>> = {
  LevelFilter: readLevel,
  LevelCondition: readLevel,
  TaggedEventFilter: readTag,
  TaggedEventCondition: readTag,
  EventAttributeFilter: readAttribute,
  EventAttributeCondition: readAttribute,
  LatestReleaseFilter: () => ({ kind: 'latest_release' }),
  AgeComparisonFilter: (part, field) => {
    const minutes = numberOf(part.value, `${field}.value`);
    const unit = keyOf(TIME_MINUTES, part.time, `${field}.time`);
    const compare = keyOf({ older: 1, newer: 1 }, part.comparison_type, `${field}.comparison_type`);
    return { kind: 'age', compare, minutes: minutes * TIME_MINUTES[unit] };
  },
  IssueOccurrencesFilter: (part, field) => ({
    kind: 'times_seen',
    atLeast: numberOf(part.value, `${field}.value`),
  }),
  AssignedToFilter: (part, field) => {
    const target = String(part.targetIdentifier ?? '');
    if (part.targetType === 'Unassigned') return { kind: 'assigned', to: { kind: 'nobody' } };
    if (part.targetType === 'Member') return { kind: 'assigned', to: { kind: 'user', userId: target } };
    const teamId = numberOf(target, `${field}.targetIdentifier`);
    return { kind: 'assigned', to: { kind: 'team', teamId } };
  },
  IssueCategoryFilter: (part, field) => ({
    kind: 'category',
    category: keyWithValue(CATEGORY_NUMBERS, String(part.value), `${field}.value`),
  }),
  IssuePriorityFilter: (part, field) => ({
    kind: 'priority',
    atLeast: keyWithValue(PRIORITY_NUMBERS, String(part.value), `${field}.value`),
  }),
  EventFrequencyCondition: (part, field) => ({ kind: 'event_count', ...readCount(part, field) }),
  EventUniqueUserFrequencyCondition: (part, field) => ({ kind: 'user_count', ...readCount(part, field) }),
};

function readLevel(part: RulePart, field: string): AlertFilter {
  const number = numberOf(part.level, `${field}.level`);
  const level = LEVELS.find((each) => LEVEL_NUMBERS[each] === number);
  if (!level) {
    throw invalid(`"${field}.level": choose one of ${Object.values(LEVEL_NUMBERS).join(', ')}`, field);
  }
  return { kind: 'level', match: keyWithValue(LEVEL_MATCHES, part.match, `${field}.match`), level };
}

function readTag(part: RulePart, field: string): AlertFilter {
  const match = keyWithValue(MATCH_NAMES, part.match, `${field}.match`);
  return { kind: 'tag', key: String(part.key ?? ''), match, value: String(part.value ?? '') };
}

function readAttribute(part: RulePart, field: string): AlertFilter {
  const attribute = ALERT_ATTRIBUTES.find((each) => each === part.attribute);
  if (!attribute) {
    throw invalid(`"${field}.attribute": choose one of ${ALERT_ATTRIBUTES.join(', ')}`, field);
  }
  const match = keyWithValue(MATCH_NAMES, part.match, `${field}.match`);
  return { kind: 'attribute', attribute, match, value: String(part.value ?? '') };
}

function readCount(part: RulePart, field: string): { above: number; minutes: number } {
  if (part.comparisonType !== undefined && part.comparisonType !== 'count') {
    throw invalid(
      `"${field}.comparisonType": only "count" is supported, not comparison with an earlier period`,
      field,
    );
  }
  const interval = String(part.interval);
  const minutes =
    ownValue(INTERVAL_MINUTES, interval) ??
    (/^\d{1,5}m$/.test(interval) ? parseInt(interval, 10) : undefined);
  if (minutes === undefined) {
    throw invalid(`"${field}.interval": choose one of ${Object.keys(INTERVAL_MINUTES).join(', ')}`, field);
  }
  return { above: numberOf(part.value, `${field}.value`), minutes };
}

export const isCount = ({ kind }: AlertFilter): boolean => kind === 'event_count' || kind === 'user_count';

export const writeFilter = (filter: AlertFilter): RulePart => ({
  ...fieldsOf(filter),
  name: describeFilter(filter),
});

function fieldsOf(filter: AlertFilter): RulePart {
  switch (filter.kind) {
    case 'level':
      return {
        id: `${FILTERS}.level.LevelFilter`,
        match: LEVEL_MATCHES[filter.match],
        level: String(LEVEL_NUMBERS[filter.level]),
      };
    case 'tag': {
      const { key, value } = filter;
      return {
        id: `${FILTERS}.tagged_event.TaggedEventFilter`,
        key,
        match: MATCH_NAMES[filter.match],
        value,
      };
    }
    case 'attribute': {
      const { attribute, value } = filter;
      const match = MATCH_NAMES[filter.match];
      return { id: `${FILTERS}.event_attribute.EventAttributeFilter`, attribute, match, value };
    }
    case 'latest_release':
      return { id: `${FILTERS}.latest_release.LatestReleaseFilter` };
    case 'age':
      return {
        id: `${FILTERS}.age_comparison.AgeComparisonFilter`,
        comparison_type: filter.compare,
        ...inUnits(filter.minutes),
      };
    case 'times_seen':
      return { id: `${FILTERS}.issue_occurrences.IssueOccurrencesFilter`, value: filter.atLeast };
    case 'assigned':
      return { id: `${FILTERS}.assigned_to.AssignedToFilter`, ...targetOf(filter.to) };
    case 'category':
      return {
        id: `${FILTERS}.issue_category.IssueCategoryFilter`,
        value: CATEGORY_NUMBERS[filter.category],
      };
    case 'priority':
      return { id: `${FILTERS}.issue_priority.IssuePriorityFilter`, value: PRIORITY_NUMBERS[filter.atLeast] };
    case 'event_count':
    case 'user_count': {
      const name = filter.kind === 'event_count' ? 'EventFrequency' : 'EventUniqueUserFrequency';
      return {
        id: `${CONDITIONS}.event_frequency.${name}Condition`,
        value: filter.above,
        comparisonType: 'count',
        interval: intervalOf(filter.minutes),
      };
    }
  }
}

function targetOf(to: Extract<AlertFilter, { kind: 'assigned' }>['to']): Record<string, unknown> {
  if (to.kind === 'nobody') return { targetType: 'Unassigned', targetIdentifier: '' };
  return to.kind === 'user'
    ? { targetType: 'Member', targetIdentifier: to.userId }
    : { targetType: 'Team', targetIdentifier: to.teamId };
}

function inUnits(minutes: number): { value: number; time: string } {
  const units = Object.entries(TIME_MINUTES).toReversed();
  const [time, size] = units.find(([, each]) => minutes % each === 0) ?? ['minute', 1];
  return { value: minutes / size, time };
}

/** One of Sentry's, else the minutes themselves. */
const intervalOf = (minutes: number): string =>
  Object.keys(INTERVAL_MINUTES).find((name) => INTERVAL_MINUTES[name] === minutes) ?? `${minutes}m`;

function numberOf(value: unknown, field: string): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && Number.isFinite(number)) return number;
  throw invalid(`"${field}": must be a number`, field);
}

function keyOf<Key extends string>(
  names: Readonly<Record<Key, unknown>>,
  value: unknown,
  field: string,
): Key {
  const key = (Object.keys(names) as Key[]).find((each) => each === value);
  if (key !== undefined) return key;
  throw invalid(`"${field}": choose one of ${Object.keys(names).join(', ')}`, field);
}

function keyWithValue<Key extends string>(
  names: Readonly<Record<Key, string>>,
  value: unknown,
  field: string,
): Key {
  const key = (Object.keys(names) as Key[]).find((each) => names[each] === value);
  if (key !== undefined) return key;
  throw invalid(`"${field}": choose one of ${Object.values(names).join(', ')}`, field);
}

/** High priority, as its two conditions of Sentry say it: new, or raised to it. */
export const isHighPriority = ({ id }: RulePart): boolean => /HighPriorityIssueCondition$/.test(id);

export const HIGH_PRIORITY: AlertFilter = { kind: 'priority', atLeast: ISSUE_PRIORITIES[0] };
