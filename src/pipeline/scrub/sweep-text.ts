import type { TextRange } from '../patterns/linear/linear-pattern.ts';
import type { Plan } from './compile-plan.ts';
import { type BuiltinType, findBuiltin, findUrlPassword } from './find-builtin.ts';
import { findSecretParameters, mayHoldParameters } from './find-parameters.ts';
import { findSecrets, mayHoldSecret } from './find-secrets.ts';
import { filterBy, type Redaction, type TextToScrub } from './redact-text.ts';
import { PLACEHOLDERS } from './rule-types.ts';
import type { Sweep } from './schema-node.ts';
import { KEY_RULES, mentionsSecret } from './sensitive-keys.ts';

const replace = (type: BuiltinType): Redaction => ({
  rule: `@${type}:replace`,
  method: 'replace',
  placeholder: PLACEHOLDERS[type],
});

/** The reference's `@common:filter`, in its order. */
const COMMON: readonly { type: BuiltinType; redaction: Redaction }[] = [
  { type: 'creditcard', redaction: filterBy('@creditcard:filter') },
  { type: 'iban', redaction: filterBy('@iban:filter') },
  { type: 'bearer', redaction: filterBy('@password:filter') },
  { type: 'pemkey', redaction: filterBy('@pemkey:filter') },
  { type: 'urlauth', redaction: filterBy('@urlauth:legacy') },
  { type: 'userpath', redaction: filterBy('@userpath:filter') },
  { type: 'usssn', redaction: filterBy('@usssn:filter') },
];

/** What messages are searched for, besides what the reference leaves in them: keys and passwords of addresses. */
const IN_MESSAGES: readonly { type: BuiltinType; redaction: Redaction }[] = [
  { type: 'email', redaction: replace('email') },
  { type: 'creditcard', redaction: replace('creditcard') },
  { type: 'iban', redaction: replace('iban') },
  { type: 'usssn', redaction: replace('usssn') },
  { type: 'bearer', redaction: replace('bearer') },
  { type: 'pemkey', redaction: replace('pemkey') },
  { type: 'urlauth', redaction: filterBy('@urlauth:legacy') },
];

const PASSWORD = filterBy(KEY_RULES.password);
const SECRET = filterBy('@secret:filter');
const URL_AUTH = filterBy('@urlauth:legacy');
const PEM_KEY = filterBy('@pemkey:filter');
const LISTED = filterBy(KEY_RULES.listed);
const IP = replace('ip');

/** Which signs a text has: most texts have none of those that a pattern needs. */
const DIGIT = 1;
const AT = 2;
const SLASH = 4;
const DASH = 8;
const COLON = 16;
const DOT = 32;
const EQUALS = 64;

const SIGNS = new Uint8Array(128);
for (const [chars, sign] of [
  ['0123456789', DIGIT],
  ['@', AT],
  ['/\\', SLASH],
  ['-', DASH],
  [':', COLON],
  ['.', DOT],
  ['=', EQUALS],
] as const) {
  for (const char of chars) SIGNS[char.charCodeAt(0)] = sign;
}

const BEARER_HINT = /b(?:earer|asic)\s/i;

/**
 * Applies the default rules, the sensitive fields and the address rule to one text, as it was before any of them. What runs for
 * each text makes no closures: they were a tenth of all garbage of digest.
 */
export function sweepText(target: TextToScrub, sweep: Sweep, plan: Plan): void {
  const text = target.search;
  if (sweep === 'none' || sweep === 'secrets') {
    if (plan.defaultRules) sweepSecrets(text, sweep, plan, target);
    return;
  }
  if (sweep === 'full' && plan.defaultRules && mentionsSecret(text)) {
    target.prepare().redactWhole(PASSWORD);
    return;
  }
  if (sweep === 'full' && plan.listed?.test(text)) {
    target.prepare().redactWhole(LISTED);
    return;
  }
  let signs = 0;
  let digits = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const sign = unit < 128 ? (SIGNS[unit] as number) : 0;
    signs |= sign;
    digits += sign & DIGIT;
  }
  if (plan.defaultRules) sweepDefaults(text, sweep, signs, digits, plan, target);
  if (plan.scrubIp && ((signs & DOT) !== 0 || (signs & COLON) !== 0)) {
    redactBuiltin('ip', target, text, IP);
  }
}

/** Names of code and of programs, where only what cannot be anything else is a secret. */
function sweepSecrets(text: string, sweep: 'none' | 'secrets', plan: Plan, target: TextToScrub): void {
  if (mayHoldSecret(text)) redactMatches(target, text, SECRET, findSecrets);
  if (text.includes('-----BEGIN')) {
    redactBuiltin('pemkey', target, text, PEM_KEY);
  }
  // A line of code names its passwords without holding them.
  if (sweep === 'none') return;
  if (text.includes('@') && text.includes('//')) redactMatches(target, text, URL_AUTH, findUrlPassword);
  sweepParameters(text, sweep, plan, target);
}

function sweepDefaults(
  text: string,
  sweep: Sweep,
  signs: number,
  digits: number,
  plan: Plan,
  target: TextToScrub,
): void {
  const mentionsScheme = mayHoldBearer(text);
  const holdsSecret = mentionsScheme || mayHoldSecret(text);
  if (signs === 0 && !holdsSecret) return;
  for (const { type, redaction } of sweep === 'text' ? IN_MESSAGES : COMMON) {
    if (type === 'bearer' ? !mentionsScheme : !mayHold(type, text, signs, digits)) continue;
    redactBuiltin(type, target, text, redaction);
  }
  if (holdsSecret) redactMatches(target, text, SECRET, findSecrets);
  if ((signs & (EQUALS | COLON)) !== 0) sweepParameters(text, sweep, plan, target);
}

function sweepParameters(text: string, sweep: Sweep, plan: Plan, target: TextToScrub): void {
  if (sweep !== 'file' && !mayHoldParameters(text)) return;
  const find = (search: string) => findSecretParameters(search, plan.keys, sweep === 'file');
  redactMatches(target, text, PASSWORD, find);
}

function mayHold(type: BuiltinType, text: string, signs: number, digits: number): boolean {
  switch (type) {
    case 'creditcard':
      return digits >= 15;
    case 'iban':
      return digits >= 2 && text.length >= 15;
    case 'usssn':
      return digits >= 9 && (signs & DASH) !== 0;
    case 'pemkey':
      return (signs & DASH) !== 0 && text.includes('-----BEGIN');
    case 'urlauth':
      return (signs & AT) !== 0 && (signs & SLASH) !== 0;
    case 'email':
      return (signs & AT) !== 0;
    case 'userpath':
      return (signs & SLASH) !== 0 && USER_PATH_HINT.test(text);
    default:
      return true;
  }
}

const USER_PATH_HINT = /(?:home|users|settings|profiles)[\\/]/i;
const mayHoldBearer = (text: string): boolean => text.length > 7 && BEARER_HINT.test(text);

/** Only prepares the text when something is found in it as it was, which is where nearly all texts end. */
function redactMatches(
  target: TextToScrub,
  text: string,
  redaction: Redaction,
  find: (search: string) => TextRange[],
): void {
  if (find(text).length === 0) return;
  const redacted = target.prepare();
  redacted.redact(find(redacted.search), redaction);
}

function redactBuiltin(type: BuiltinType, target: TextToScrub, text: string, redaction: Redaction): void {
  const find = type === 'urlauth' ? findUrlPassword : (search: string) => findBuiltin(type, search);
  redactMatches(target, text, redaction, find);
}
