/**
 * What an advanced rule can look for. `pattern` is a regular expression of its own; `anything` is the whole value.
 * Source: the data types of the reference's settings page, and relay-pii/src/builtin.rs for the placeholders.
 */
export const RULE_TYPES = [
  'anything',
  'pattern',
  'password',
  'creditcard',
  'email',
  'ip',
  'iban',
  'usssn',
  'bearer',
  'urlauth',
  'userpath',
  'pemkey',
  'uuid',
  'mac',
  'imei',
] as const;
export type RuleType = (typeof RULE_TYPES)[number];

export const RULE_METHODS = ['remove', 'mask', 'hash', 'replace'] as const;
export type RuleMethod = (typeof RULE_METHODS)[number];

export const FILTERED = '[Filtered]';

/** What stands in for a match when a rule that replaces names nothing else. */
export const PLACEHOLDERS: Readonly<Record<RuleType, string>> = {
  anything: FILTERED,
  pattern: FILTERED,
  password: '[password]',
  creditcard: '[creditcard]',
  email: '[email]',
  ip: '[ip]',
  iban: '[iban]',
  usssn: '[us-ssn]',
  bearer: FILTERED,
  urlauth: '[auth]',
  userpath: '[user]',
  pemkey: '[pemkey]',
  uuid: '[uuid]',
  mac: '[mac]',
  imei: '[imei]',
};

export const isRuleType = (text: string): text is RuleType =>
  (RULE_TYPES as readonly string[]).includes(text);
