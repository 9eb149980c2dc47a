import { RULE_TYPE_LABELS } from './rule-catalogue.ts';

/** A remark of `_meta` in words: `filtered: password`, and by which rule. */
export type RemarkLabels = {
  /** What was done, one word. */
  done: string;
  /** What was found. */
  what: string;
  /** Which rule did it, a sentence without its full stop. */
  rule: string;
};

const DONE: Readonly<Record<string, string>> = {
  x: 'removed',
  s: 'filtered',
  m: 'masked',
  p: 'hashed',
  e: 'encrypted',
  a: 'noted',
};

/** Things that a rule's name tells, as they stand in a sentence. */
const WHAT: Readonly<Record<string, string>> = {
  password: 'password',
  secret: 'key or token',
  creditcard: 'credit card',
  iban: 'IBAN',
  usssn: 'social security number',
  pemkey: 'PEM key',
  urlauth: 'credentials in a URL',
  userpath: 'username in a path',
  bearer: 'bearer token',
  email: 'email address',
  ip: 'IP address',
  uuid: 'UUID',
  mac: 'MAC address',
  imei: 'IMEI',
  anything: 'value',
  pattern: 'regular expression match',
};

/** Words for a rule's name (`@password:filter`) and the kind of its remark (`s`); for marks of SDKs too. */
export function describeRemark(rule: string, kind: string): RemarkLabels {
  const done = DONE[kind] ?? 'changed';
  if (rule === 'strip-fields') {
    return { done, what: 'sensitive field', rule: 'The name is in the list of sensitive fields' };
  }
  if (rule === '!limit') return { done: 'shortened', what: 'long text', rule: 'It exceeded the size limit' };
  const match = /^@(\w+):(\w+)$/.exec(rule);
  const [type, method] = [match?.[1] ?? '', match?.[2] ?? ''];
  if (type === 'anything' && method === 'filter') {
    return { done, what: 'cookie', rule: `Default rules (${rule}): session cookies` };
  }
  if (type === '' || WHAT[type] === undefined) {
    return { done, what: 'value', rule: `Rule ${rule}, applied by the SDK or a relay` };
  }
  const isDefault = method === 'filter' || method === 'legacy';
  const name = RULE_TYPE_LABELS.find(({ id }) => id === type)?.name ?? type;
  return {
    done,
    what: WHAT[type],
    rule: isDefault
      ? `Default rules (${rule}): ${name.toLowerCase()}`
      : `Rule ${rule}: ${name.toLowerCase()}`,
  };
}
