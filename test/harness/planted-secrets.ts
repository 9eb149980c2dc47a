/** Stands in every planted secret, in signs that hex and base32 have alike. */
export const CANARY = 'c3f7ade2b5';

const DIGITS = '234567';

/** The place of a secret in signs of the canary's alphabet, of the same length for all. */
function numberText(number: number): string {
  let text = '';
  for (let left = number; text.length < 7; left = Math.floor(left / DIGITS.length)) {
    text = `${DIGITS[left % DIGITS.length]}${text}`;
  }
  return text;
}

const HEADER = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url');

/** Secrets that are known by their form: they are found in any place, names of fields included. */
const KNOWN: readonly ((body: (chars: number) => string) => string)[] = [
  (body) => `${HEADER}.eyJ${body(40)}.${body(43)}`,
  (body) => `AKIA${body(16).toUpperCase()}`,
  (body) => `ghp_${body(36)}`,
  (body) => `github_pat_${body(22)}_${body(59)}`,
  (body) => `glpat-${body(20)}`,
  (body) => `xoxb-${body(50)}`,
  (body) => `https://hooks.slack.com/services/T0000/B0000/${body(24)}`,
  (body) => `sk_live_${body(24)}`,
  (body) => `AIza${body(35)}`,
  (body) => `sk-ant-api03-${body(60)}`,
  (body) => `npm_${body(36)}`,
  (body) => `SG.${body(22)}.${body(43)}`,
  (body) => `SK${body(32)}`,
  (body) => `1234567890:AA${body(33)}`,
];

const PLAIN = KNOWN.filter((form) => /^[\w.-]+$/.test(form((chars) => 'a'.repeat(chars))));

/** Secrets that are known by what stands before them: they are found in every text. */
const NAMED: readonly ((body: (chars: number) => string) => string)[] = [
  (body) => `password=${body(17)}`,
  (body) => `https://e.com/a?page=1&token=${body(17)}#access_token=${body(17)}`,
  (body) => `Authorization: Bearer ${body(30)}`,
  (body) => `{"user":"ann","password":"${body(17)}"}`,
  (body) => `postgres://app:${body(17)}@db/shop`,
  (body) => `a=b; JSESSIONID=${body(17)}; connect.sid=${body(17)}`,
  (body) => `--api-key=${body(17)}`,
  (body) => `-----BEGIN RSA PRIVATE KEY-----\n${body(40)}\n-----END RSA PRIVATE KEY-----`,
];

/** Makes secrets that are all different, each of the next form, and knows where each was put. */
export class Planter {
  readonly places: string[] = [];
  #turn: number;

  constructor(turn: number) {
    this.#turn = turn;
  }

  known(place: string): string {
    return this.#make(KNOWN, place);
  }

  /** Of letters, digits, `_`, `-` and `.` alone, as names of versions and of environments are. */
  name(place: string): string {
    return this.#make(PLAIN, place);
  }

  any(place: string): string {
    return this.#make([...KNOWN, ...NAMED], place);
  }

  /** A value that only its name tells. */
  bare(place: string): string {
    return this.#make([(body) => body(17)], place);
  }

  /** Where the secrets were put whose remains stand in the text. */
  findIn(text: string): string[] {
    const found = new Set<string>();
    for (const match of text.toLowerCase().matchAll(new RegExp(`${CANARY}([${DIGITS}]{7})?`, 'g'))) {
      const index = [...(match[1] ?? '')].reduce((sum, digit) => sum * 6 + DIGITS.indexOf(digit), 0);
      const around = text.slice(Math.max(0, match.index - 60), match.index + 40);
      found.add(`${this.places[index] ?? '?'} in ${JSON.stringify(around)}`);
    }
    return [...found];
  }

  #make(forms: typeof KNOWN, place: string): string {
    const body = `${CANARY}${numberText(this.places.length)}`;
    this.places.push(place);
    this.#turn += 1;
    const form = forms[this.#turn % forms.length] as (typeof KNOWN)[number];
    return form((chars) => body.repeat(Math.ceil(chars / body.length)).slice(0, chars));
  }
}

/** A secret in every shape in which programs hand data about. */
export function shapesOf(planter: Planter, place: string): Record<string, unknown> {
  const any = (shape: string) => planter.any(`${place}.${shape}`);
  const bare = (shape: string) => planter.bare(`${place}.${shape}`);
  return {
    plain: any('plain'),
    sentence: `it failed with ${any('sentence')} again`,
    one: [any('one')],
    first_of_two: [any('first of two'), 'run'],
    second_of_two: ['run', any('second of two')],
    both: [any('both, first'), any('both, second')],
    three: ['a', any('second of three'), any('third of three')],
    pairs: [
      ['a', any('value of a pair')],
      [any('name of a pair'), 'b'],
    ],
    odd_pairs: [
      ['a', 'b'],
      ['c', 'd', any('third of a pair')],
      [1, any('pair without a name')],
    ],
    argv: ['mysql', '--password', bare('argument'), '--verbose'],
    named_pair: ['password', bare('named pair')],
    password: bare('password'),
    api_key: { deep: [bare('deep below a name')] },
    deep: { list: [{ list: [[any('deep')]] }] },
    [planter.known(`${place}.name`)]: 'x',
    [`q?token=${bare('parameter in a name')}`]: 'x',
  };
}

/**
 * The value with a secret in every text and every list. `free` says of which objects people choose the names: these get
 * every shape. Texts that `keep` matches by their path stay: without them the item would be refused.
 */
export function plantIn(
  value: unknown,
  planter: Planter,
  keep: RegExp,
  free: RegExp,
  codeLines: RegExp = /\.(?:pre_|post_)?context(?:_line)?(?:\.\d+)?$/,
  path = '',
): unknown {
  if (keep.test(path)) return value;
  if (typeof value === 'string') return codeLines.test(path) ? planter.known(path) : planter.any(path);
  if (typeof value !== 'object' || value === null) return value;
  const below = (each: unknown, name: string | number) =>
    plantIn(each, planter, keep, free, codeLines, `${path}.${name}`);
  if (Array.isArray(value)) return value.map(below);
  return {
    ...Object.fromEntries(Object.entries(value).map(([name, each]) => [name, below(each, name)])),
    ...(free.test(path) ? shapesOf(planter, path) : {}),
  };
}
