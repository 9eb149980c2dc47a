/** What the name of a field says about its value. */
export type KeyVerdict =
  /** Nothing. */
  | null
  /** It is secret, whatever it is. */
  | 'password'
  /** It is a token; numbers of tokens (`max_tokens`) are told apart by their type. */
  | 'token'
  /** A cookie that identifies a session, or a header that holds cookies. */
  | 'cookie'
  /** Somebody put it on the list of the project's sensitive fields. */
  | 'listed';

/** Name of the rule that each verdict is reported as; the reference's names. */
export const KEY_RULES: Readonly<Record<NonNullable<KeyVerdict>, string>> = {
  password: '@password:filter',
  token: '@password:filter',
  cookie: '@anything:filter',
  listed: 'strip-fields',
};

/** Source: `PASSWORD_KEY_REGEX` in relay-pii/src/regexes.rs; names of headers are spelled with dashes. */
const PASSWORD_KEY =
  /password|secret|passwd|api[-_]key|apikey|auth|credentials|mysql[-_]pwd|privatekey|private[-_]key|token[^\s]{0,256}[:=]|^otp$|^two[-_]factor$/i;
/** What the reference's documentation lists besides, and headers that hold nothing but secrets. */
const MORE_KEYS = /bearer|passphrase|^pwd$|^x-(?:csrf|xsrf)|(?:^|[._-])(?:set[-_])?cookie2?$/i;
/** Secret as names of parameters in a text, where they sign an address or open an account. */
const PARAMETER_KEY =
  /^(?:pwd|sig|x-(?:amz|goog)-(?:signature|credential)|(?:account|access|shared[-_]?access|signing|encryption|session|shared|secret)[-_]?key)$/i;
const TOKEN_KEY = /token/i;

/**
 * Session and CSRF cookies of common frameworks, without the prefixes `__Host-` and `__Secure-`. These names mean something
 * else outside of cookies. Source: `SENSITIVE_COOKIES` in relay-pii/src/convert.rs, and the frameworks' defaults.
 */
const SESSION_COOKIES: ReadonlySet<string> = new Set([
  'sentrysid',
  'sudo',
  'su',
  'session',
  'session_id',
  'sessid',
  'sid',
  '__session',
  'sessionid',
  'user_session',
  'symfony',
  'mysession',
  'csrf',
  'xsrf',
  '_xsrf',
  '_csrf',
  'csrf-token',
  'csrf_token',
  'xsrf-token',
  'xsrf_token',
  'fastcsrf',
  '_iris_csrf',
]);
/** Names of session cookies that nothing else has: secret wherever they stand. */
const TELLING_COOKIE =
  /^(?:(?:j|php|asp\.net_|asp|fasthttp|iris|koa|wp_|moodle)sess(?:ion)?(?:id)?[a-z]{0,32}|(?:connect|express|koa|rack|play|beaker|laravel|ci|cake|yii|hapi|fastify|nest|django|flask|symfony|adonis|sails|_gh|tomcat|jetty|grails|zend|magento|typo3)[._:-]?(?:sess|sess(?:ion)?(?:[._-]?id)?|sid|sess\.sig)|_[a-z0-9_-]{1,64}_session|(?:next-auth|authjs)\.(?:session|csrf)-token(?:\.\d)?|\.aspnetcore\.(?:session|identity|cookies|antiforgery)[\w.-]{0,64}|\.aspxauth|cftoken|_vercel_jwt|wordpress_(?:logged_in|sec)_[0-9a-f]{8,64}|s?sess[0-9a-f]{32}|remember_(?:web_[0-9a-f]{8,64}|user_token|me)|(?:bear|fe)_typo_user)$/;
const COOKIE_PREFIX = /^__(?:host|secure)-/;
const COOKIE_ATTRIBUTE = /(?:^|\.)(?:set-)?cookie\.(.+)$/;

/** Keys whose verdict is cached. */
const KEYS_MAX = 10_000;
/** Longer keys are not cached. */
const KEY_CHARS_MAX = 256;

/** Decides by names, once per name. */
export class SensitiveKeys {
  readonly #defaultRules: boolean;
  readonly #listed: readonly string[];
  readonly #decided = new Map<string, KeyVerdict>();

  constructor(defaultRules: boolean, sensitiveFields: readonly string[]) {
    this.#defaultRules = defaultRules;
    this.#listed = sensitiveFields.map(spell).filter((field) => field !== '');
  }

  get isIdle(): boolean {
    return !this.#defaultRules && this.#listed.length === 0;
  }

  judge(key: string): KeyVerdict {
    const known = this.#decided.get(key);
    if (known !== undefined) return known;
    const verdict = this.#decide(key);
    if (key.length <= KEY_CHARS_MAX && this.#decided.size < KEYS_MAX) this.#decided.set(key, verdict);
    return verdict;
  }

  /** Of a cookie: some names mean something there that they mean nowhere else. */
  judgeCookie(name: string): KeyVerdict {
    return this.#defaultRules && SESSION_COOKIES.has(name.toLowerCase().replace(COOKIE_PREFIX, ''))
      ? 'cookie'
      : this.judge(name);
  }

  /** Of `name=value` in a text, which may be a cookie, or a part of an address. */
  judgeParameter(name: string): KeyVerdict {
    if (this.#defaultRules && (PARAMETER_KEY.test(name) || name.toLowerCase() === 'sessionid'))
      return 'password';
    return this.judge(name);
  }

  #decide(key: string): KeyVerdict {
    const lower = key.toLowerCase();
    if (this.#listed.length > 0) {
      const spelled = spell(key);
      if (this.#listed.some((field) => spelled.includes(field))) return 'listed';
    }
    if (!this.#defaultRules) return null;
    // Only the beginning decides of names that are no names.
    const name = lower.length > 4_096 ? lower.slice(0, 4_096) : lower;
    if (PASSWORD_KEY.test(name)) return 'password';
    const cookie = COOKIE_ATTRIBUTE.exec(name)?.[1];
    if (MORE_KEYS.test(name) || (cookie !== undefined && SESSION_COOKIES.has(cookie))) return 'cookie';
    if (TELLING_COOKIE.test(name.replace(COOKIE_PREFIX, ''))) return 'cookie';
    return TOKEN_KEY.test(name) ? 'token' : null;
  }
}

/** One spelling for `api_key` and the header `Api-Key`. */
const spell = (name: string): string => name.trim().toLowerCase().replaceAll('-', '_');

/**
 * Words in a text that make all of it suspect: `login failed, password=…` tells the password without a field's name.
 * Source: the same pattern, applied to values.
 */
const MENTIONS =
  /password|secret|passwd|api[-_]key|apikey|auth|credentials|mysql_pwd|privatekey|private[-_]key|token[^\s:=]{0,256}[:=]/i;

export const mentionsSecret = (text: string): boolean => MENTIONS.test(text);

/** A name as programs give them: without blanks, and without the signs that a value would stand behind. */
export const isPlainName = (name: string): boolean => PLAIN_NAME.test(name);
const PLAIN_NAME = /^[^\s=:?&;,"'<>]{1,128}$/;

/** The name of an argument whose value is the next one: `--password`. null for anything else. */
export const flagName = (text: string): string | null => FLAG.exec(text)?.[1] ?? null;
const FLAG = /^--?([A-Za-z][\w.-]{1,127})$/;
