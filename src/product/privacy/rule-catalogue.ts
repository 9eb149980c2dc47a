import { RULE_METHODS, RULE_TYPES, type RuleMethod, type RuleType } from '#pipeline/scrub/rule-types.ts';

/** What an advanced rule can look for, in the order in which it is offered. */
export type RuleTypeWords = { id: RuleType; name: string; help: string };

const TYPE_WORDS: Readonly<Record<RuleType, { name: string; help: string }>> = {
  anything: { name: 'Anything', help: 'The whole value, whatever it is.' },
  pattern: { name: 'Regular expression', help: 'What an expression of your own matches.' },
  password: {
    name: 'Password fields',
    help: 'Values in fields with telling names, and texts that mention a secret.',
  },
  creditcard: { name: 'Credit card numbers', help: 'Numbers of the large card companies.' },
  email: { name: 'E-mail addresses', help: 'ann@example.com' },
  ip: { name: 'IP addresses', help: 'IPv4 and IPv6.' },
  iban: { name: 'IBANs', help: 'International bank account numbers.' },
  usssn: { name: 'US social security numbers', help: '078-05-1120' },
  bearer: { name: 'Bearer tokens', help: 'Bearer eyJhbGciOi…' },
  urlauth: { name: 'Credentials in addresses', help: 'ann:password of https://ann:password@example.com' },
  userpath: { name: 'User names in paths', help: 'ann of /home/ann/app.py' },
  pemkey: { name: 'PEM keys', help: 'What stands between BEGIN … KEY and END … KEY.' },
  uuid: { name: 'UUIDs', help: 'ceee0822-ed8f-4622-b2a3-789e73e75cd1' },
  mac: { name: 'MAC addresses', help: '4a:00:04:10:9b:50' },
  imei: { name: 'IMEI numbers', help: 'Of phones: 356938035643809' },
};

export const RULE_TYPE_WORDS: readonly RuleTypeWords[] = RULE_TYPES.map((id) => ({ id, ...TYPE_WORDS[id] }));

const METHOD_WORDS: Readonly<Record<RuleMethod, { name: string; help: string }>> = {
  mask: { name: 'Mask', help: 'Put a * for every sign.' },
  remove: { name: 'Remove', help: 'Take it away.' },
  replace: { name: 'Replace', help: 'Put a placeholder instead.' },
  hash: { name: 'Hash', help: 'Put a hash instead: equal values stay equal.' },
};

export const RULE_METHOD_WORDS: readonly { id: RuleMethod; name: string; help: string }[] = RULE_METHODS.map(
  (id) => ({ id, ...METHOD_WORDS[id] }),
);
