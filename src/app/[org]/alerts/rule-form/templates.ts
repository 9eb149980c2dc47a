import type { RuleDraft } from './rule-draft.ts';
import { draftOfFilter } from './rule-draft.ts';

export type RuleTemplate = {
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
  resolve: '',
  receivers: [],
} as const;

/** What a new rule begins with, the ones that most people want first. */
export const RULE_TEMPLATES: readonly RuleTemplate[] = [
  {
    id: 'new',
    name: 'New issues',
    about: 'Something happens for the first time.',
    draft: { ...ISSUE, name: 'New issues', triggers: ['first_seen'] },
  },
  {
    id: 'regressions',
    name: 'Regressions',
    about: 'Something that was resolved is back.',
    draft: { ...ISSUE, name: 'Regressions', triggers: ['regression'] },
  },
  {
    id: 'escalating',
    name: 'Escalating issues',
    about: 'Something that was archived happens far more often.',
    draft: { ...ISSUE, name: 'Escalating issues', triggers: ['escalation'] },
  },
  {
    id: 'busy',
    name: 'More than N events',
    about: 'One issue happens more than 100 times in an hour.',
    draft: {
      ...ISSUE,
      name: 'Many events of one issue',
      triggers: ['event'],
      filters: [draftOfFilter({ kind: 'event_count', above: 100, minutes: 60 }, 'template-0')],
      frequencyMinutes: 60,
    },
  },
  {
    id: 'users',
    name: 'More than N users',
    about: 'One issue affects more than 50 users in an hour.',
    draft: {
      ...ISSUE,
      name: 'Many users of one issue',
      triggers: ['event'],
      filters: [draftOfFilter({ kind: 'user_count', above: 50, minutes: 60 }, 'template-0')],
      frequencyMinutes: 60,
    },
  },
  {
    id: 'crash-free',
    name: 'Crash-free rate below',
    about: 'Less than 99 % of the sessions of an hour end without a crash.',
    draft: {
      ...METRIC,
      name: 'Crash-free sessions too low',
      measure: 'crash_free_sessions',
      direction: 'below',
      critical: '99',
      warning: '99.5',
    },
  },
  {
    id: 'events',
    name: 'Number of events',
    about: 'All errors together, or those that fit a search, become too many.',
    draft: {
      ...METRIC,
      name: 'Too many events',
      measure: 'events',
      direction: 'above',
      critical: '1000',
      warning: '',
    },
  },
  {
    id: 'failure-rate',
    name: 'Failure rate above',
    about: 'More than 5 % of the transactions of an hour fail.',
    draft: {
      ...METRIC,
      name: 'Failure rate too high',
      measure: 'failure_rate',
      direction: 'above',
      critical: '5',
      warning: '2',
    },
  },
];

export const findTemplate = (id: string | null): RuleTemplate | null =>
  RULE_TEMPLATES.find((template) => template.id === id) ?? null;
