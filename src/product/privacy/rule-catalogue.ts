import { RULE_METHODS, RULE_TYPES, type RuleMethod, type RuleType } from '#pipeline/scrub/rule-types.ts';

/** What an advanced rule can look for, in the order in which it is offered. */
export type RuleTypeLabels = { id: RuleType; name: string; help: string };

const TYPE_LABELS: Readonly<Record<RuleType, { name: string; help: string }>> = {
  anything: { name: 'Anything', help: 'The entire value, regardless of its content.' },
  pattern: { name: 'Regular expression', help: 'Text that matches your own expression.' },
  password: {
    name: 'Password fields',
    help: 'Values of fields whose names suggest a secret, and text that mentions one.',
  },
  creditcard: { name: 'Credit card numbers', help: 'Card numbers from major issuers.' },
  email: { name: 'Email addresses', help: 'ann@example.com' },
  ip: { name: 'IP addresses', help: 'IPv4 and IPv6.' },
  iban: { name: 'IBANs', help: 'International bank account numbers.' },
  usssn: { name: 'US social security numbers', help: '078-05-1120' },
  bearer: { name: 'Bearer tokens', help: 'Bearer eyJhbGciOi…' },
  urlauth: { name: 'Credentials in URLs', help: 'ann:password in https://ann:password@example.com' },
  userpath: { name: 'Usernames in paths', help: 'ann in /home/ann/app.py' },
  pemkey: { name: 'PEM keys', help: 'Content between BEGIN … KEY and END … KEY.' },
  uuid: { name: 'UUIDs', help: 'ceee0822-ed8f-4622-b2a3-789e73e75cd1' },
  mac: { name: 'MAC addresses', help: '4a:00:04:10:9b:50' },
  imei: { name: 'IMEI numbers', help: 'Phone identifiers, such as 356938035643809' },
};

export const RULE_TYPE_LABELS: readonly RuleTypeLabels[] = RULE_TYPES.map((id) => ({
  id,
  ...TYPE_LABELS[id],
}));

const METHOD_LABELS: Readonly<Record<RuleMethod, { name: string; help: string }>> = {
  mask: { name: 'Mask', help: 'Replaces every character with *.' },
  remove: { name: 'Remove', help: 'Removes the value.' },
  replace: { name: 'Replace', help: 'Replaces the value with a placeholder.' },
  hash: { name: 'Hash', help: 'Replaces the value with a hash. Equal values get equal hashes.' },
};

export const RULE_METHOD_LABELS: readonly { id: RuleMethod; name: string; help: string }[] = RULE_METHODS.map(
  (id) => ({ id, ...METHOD_LABELS[id] }),
);
