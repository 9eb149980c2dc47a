import { describeMatch } from '#product/alerts/describe-alert-rule.ts';
import { LEVELS } from '#protocol/event.ts';
import {
  ALERT_ATTRIBUTES,
  type AlertAttribute,
  TEXT_MATCHES,
  type TextMatch,
} from '#protocol/event-filter.ts';
import { ISSUE_PRIORITIES } from '#storage/ports/issue-states.ts';
import { ATTRIBUTE_NAMES } from '../alert-words.ts';

export const isOneOf = (match: TextMatch): boolean => match === 'is_one_of' || match === 'is_not_one_of';

export const LEVEL_MATCHES = [
  { value: 'at_least', label: 'at least' },
  { value: 'equals', label: 'exactly' },
  { value: 'at_most', label: 'at most' },
] as const;
export const TEXT_MATCH_OPTIONS = TEXT_MATCHES.map((value) => ({ value, label: describeMatch(value) }));
export const ATTRIBUTE_OPTIONS = ALERT_ATTRIBUTES.map((value) => ({
  value,
  label: ATTRIBUTE_NAMES[value],
  hint: value,
}));
export const LEVEL_OPTIONS = LEVELS.map((value) => ({ value, label: value }));
export const PRIORITY_OPTIONS = ISSUE_PRIORITIES.map((value) => ({ value, label: value }));

/** What the search calls an attribute, to offer values of it; those that it does not know have none. */
export const SEARCH_KEYS: Readonly<Partial<Record<AlertAttribute, string>>> = {
  platform: 'platform',
  environment: 'environment',
  'error.handled': 'error.handled',
  'error.unhandled': 'error.unhandled',
  'exception.type': 'error.type',
  'exception.value': 'error.value',
  'user.id': 'user.id',
  'user.email': 'user.email',
  'user.username': 'user.username',
  'user.ip_address': 'user.ip',
  'http.method': 'http.method',
  'http.url': 'http.url',
  'http.status_code': 'http.status_code',
  'sdk.name': 'sdk.name',
  'stacktrace.module': 'stack.module',
  'stacktrace.filename': 'stack.filename',
  'stacktrace.abs_path': 'stack.abs_path',
  'stacktrace.package': 'stack.package',
};
