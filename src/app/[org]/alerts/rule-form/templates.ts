import type { RuleDraft } from './rule-draft.ts';
import { draftOfFilter } from './rule-draft.ts';

type RuleTemplate = {
  id: string;
  name: string;
  about: string;
  draft: RuleDraft;
};

const ISSUE = {
  kind: 'issue',
  environment: '',
  owner: null,
  filters: [],
  filterMatch: 'all',
  frequencyMinutes: 30,
  receivers: [{ kind: 'owners', otherwise: 'members' }],
} as const;

const METRIC = {
  kind: 'metric',
  environment: '',
  owner: null,
  query: '',
  windowMinutes: 60,
  comparisonMinutes: null,
  minimumSessions: '',
  resolve: '',
  receivers: [],
} as const;

/** What a new rule begins with, the ones that most people want first. */
export const RULE_TEMPLATES: readonly RuleTemplate[] = [
  {
    id: 'new',
    name: 'New issues',
    about: 'An error is seen for the first time.',
    draft: { ...ISSUE, name: 'New issues', triggers: ['first_seen'] },
  },
  {
    id: 'regressions',
    name: 'Regressions',
    about: 'A resolved issue happens again.',
    draft: { ...ISSUE, name: 'Regressions', triggers: ['regression'] },
  },
  {
    id: 'escalating',
    name: 'Escalating issues',
    about: 'An archived issue happens far more often than expected.',
    draft: { ...ISSUE, name: 'Escalating issues', triggers: ['escalation'] },
  },
  {
    id: 'busy',
    name: 'Event frequency',
    about: 'One issue has more than 100 events in an hour.',
    draft: {
      ...ISSUE,
      name: 'High event frequency',
      triggers: ['event'],
      filters: [draftOfFilter({ kind: 'event_count', above: 100, minutes: 60 }, 'template-0')],
      frequencyMinutes: 60,
    },
  },
  {
    id: 'users',
    name: 'Users affected',
    about: 'One issue affects more than 50 users in an hour.',
    draft: {
      ...ISSUE,
      name: 'Many users affected',
      triggers: ['event'],
      filters: [draftOfFilter({ kind: 'user_count', above: 50, minutes: 60 }, 'template-0')],
      frequencyMinutes: 60,
    },
  },
  {
    id: 'crash-free',
    name: 'Crash-free rate',
    about: 'Fewer than 99% of sessions in an hour are crash-free.',
    draft: {
      ...METRIC,
      name: 'Low crash-free session rate',
      measure: 'crash_free_sessions',
      minimumSessions: '100',
      direction: 'below',
      critical: '99',
      warning: '99.5',
    },
  },
  {
    id: 'events',
    name: 'Number of events',
    about: 'The total number of errors, or of errors that match a search, is too high.',
    draft: {
      ...METRIC,
      name: 'High number of events',
      measure: 'events',
      direction: 'above',
      critical: '1000',
      warning: '',
    },
  },
  {
    id: 'failure-rate',
    name: 'Failure rate',
    about: 'More than 5% of transactions in an hour fail.',
    draft: {
      ...METRIC,
      name: 'High failure rate',
      measure: 'failure_rate',
      direction: 'above',
      critical: '5',
      warning: '2',
    },
  },
  {
    id: 'more-events',
    name: 'More events than usual',
    about: 'There are 50% more errors in an hour than a week earlier.',
    draft: {
      ...METRIC,
      name: 'More events than a week earlier',
      measure: 'events',
      direction: 'above',
      comparisonMinutes: 10_080,
      critical: '50',
      warning: '',
    },
  },
  {
    id: 'slow-transactions',
    name: 'Slow transactions',
    about: 'One in 20 transactions takes longer than a second.',
    draft: {
      ...METRIC,
      name: 'Slow transactions',
      measure: { dataset: 'spans', function: 'p95(span.duration)' },
      query: 'is_transaction:true',
      direction: 'above',
      critical: '1000',
      warning: '',
    },
  },
  {
    id: 'logs',
    name: 'Number of logs',
    about: 'More than 100 errors are logged in an hour.',
    draft: {
      ...METRIC,
      name: 'High number of error logs',
      measure: { dataset: 'logs', function: 'count()' },
      query: 'severity:error',
      direction: 'above',
      critical: '100',
      warning: '',
    },
  },
  {
    id: 'metric',
    name: 'Application metric',
    about: 'A metric that your application sends crosses a threshold.',
    draft: {
      ...METRIC,
      name: 'Application metric',
      measure: { dataset: 'metrics', function: 'sum(value)' },
      direction: 'above',
      critical: '',
      warning: '',
    },
  },
];

export const findTemplate = (id: string | null): RuleTemplate | null =>
  RULE_TEMPLATES.find((template) => template.id === id) ?? null;
