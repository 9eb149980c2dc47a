import { describe, expect, test } from 'vitest';
import { withinMs } from '#lib/fixtures/within-ms.ts';
import type { NormalizedEvent } from '#protocol/event.ts';
import {
  type AdvancedRule,
  DEFAULT_INGEST_SETTINGS,
  type PrivacySettings,
} from '#protocol/ingest-settings.ts';
import { compileScrubber } from './scrubber.ts';

const DEFAULTS = DEFAULT_INGEST_SETTINGS.privacy;
const OFF: PrivacySettings = { ...DEFAULTS, defaultRules: false };

const BASE: NormalizedEvent = {
  event_id: 'ab'.repeat(16),
  type: 'error',
  level: 'error',
  platform: 'python',
  timestamp: 1_790_000_000,
  received: 1_790_000_001,
};

const scrub = (event: Partial<NormalizedEvent>, settings: Partial<PrivacySettings> = {}): NormalizedEvent =>
  compileScrubber({ ...DEFAULTS, ...settings }).scrubEvent({ ...BASE, ...event });

const rule = (
  method: AdvancedRule['method'],
  type: string,
  selector: string,
  more: Partial<AdvancedRule> = {},
): AdvancedRule => ({ method, type, selector, pattern: null, placeholder: null, ...more });

const advanced = (event: Partial<NormalizedEvent>, ...rules: AdvancedRule[]): NormalizedEvent =>
  scrub(event, { ...OFF, advancedRules: rules });

describe('the default rules', () => {
  test('names of fields hide their values, and `_meta` says why in the shape of the reference', () => {
    const event = scrub({
      extra: {
        foo: 'bar',
        password: 'hello',
        the_secret: 'hello',
        apiKey: 'secret_key',
        a_password_number: 42,
        a_password_array: [42, 43],
        otp: '123456',
      },
    });
    expect(event.extra).toEqual({
      foo: 'bar',
      password: '[Filtered]',
      the_secret: '[Filtered]',
      apiKey: '[Filtered]',
      a_password_number: null,
      a_password_array: null,
      otp: '[Filtered]',
    });
    const filtered = (len: number) => ({ '': { rem: [['@password:filter', 's', 0, 10]], len } });
    const removed = { '': { rem: [['@password:filter', 'x']] } };
    expect(event._meta).toEqual({
      extra: {
        password: filtered(5),
        the_secret: filtered(5),
        apiKey: filtered(10),
        a_password_number: removed,
        a_password_array: removed,
        otp: filtered(6),
      },
    });
  });

  test.each([
    'password',
    'secret',
    'passwd',
    'api_key',
    'api-key',
    'apikey',
    'auth',
    'credentials',
    'mysql_pwd',
    'privatekey',
    'private_key',
    'private-key',
    'token',
    'bearer',
    'authorization',
    'set-cookie',
    'x-csrftoken',
    'X-XSRF-Token',
    'otp',
    'two_factor',
    'two-factor',
    'AWS_SECRET_ACCESS_KEY',
    'csrfmiddlewaretoken',
  ])('%s', (name) => {
    const value = 'v4lu3';
    const event = scrub({
      extra: { [name]: value, deep: { list: [{ [name]: value }, [name, value]] } },
      request: {
        data: { [name]: value },
        headers: [[name, value]],
        cookies: [[name, value]],
        query_string: [[name, value]],
        env: { [name]: value },
      },
      user: { id: '1', data: { [name]: value } },
      contexts: { own: { [name]: value }, device: { [name]: value }, trace: { data: { [name]: value } } },
      tags: [[name, value]],
      breadcrumbs: { values: [{ data: { [name]: value } }] },
      logentry: { message: 'x', params: { [name]: value } },
      exception: {
        values: [
          {
            type: 'E',
            mechanism: { type: 'x', data: { [name]: value } },
            stacktrace: { frames: [{ vars: { [name]: value } }] },
          },
        ],
      },
      threads: { values: [{ stacktrace: { frames: [{ vars: { [name]: value } }] } }] },
    });
    expect(JSON.stringify(event)).not.toContain(value);
  });

  test('texts that mention a secret go as a whole where anything may stand', () => {
    const { extra, breadcrumbs } = scrub({
      extra: { argv: ['script.py', 'password=hunter2'], note: 'all fine' },
      breadcrumbs: { values: [{ message: 'set token: abc' }, { message: 'a token of thanks' }] },
    });
    expect(extra).toEqual({ argv: ['script.py', '[Filtered]'], note: 'all fine' });
    expect(breadcrumbs?.values.map(({ message }) => message)).toEqual(['[Filtered]', 'a token of thanks']);
  });

  test('messages lose what is private and keep the rest', () => {
    const event = scrub({
      logentry: { formatted: 'auth of ann@example.com failed with card 4111 1111 1111 1111 (password?)' },
      exception: {
        values: [{ type: 'E', value: 'cannot auth ann@example.com at pg://app:hunter2@db/x' }],
      },
    });
    expect(event.logentry?.formatted).toBe('auth of [email] failed with card [creditcard] (password?)');
    expect(event.exception?.values[0]?.value).toBe('cannot auth ann@example.com at pg://app:[Filtered]@db/x');
  });

  test('a parameter that is hidden by its name is hidden in the message that it was put into', () => {
    const event = scrub({
      logentry: {
        message: 'login of %(name)s with %(password)s',
        formatted: 'login of ann with hunter2 (hunter2)',
        params: { name: 'ann', password: 'hunter2', pin_secret: 12345 },
      },
    });
    expect(event.logentry).toEqual({
      message: 'login of %(name)s with %(password)s',
      formatted: 'login of ann with [Filtered] ([Filtered])',
      params: { name: 'ann', password: '[Filtered]', pin_secret: null },
    });
    expect(event._meta).toMatchObject({
      logentry: {
        formatted: {
          '': {
            rem: [
              ['@password:filter', 's', 18, 28],
              ['@password:filter', 's', 30, 40],
            ],
          },
        },
      },
    });
  });

  test('patterns in values', () => {
    const { extra, _meta } = scrub({
      extra: {
        card: 'pay 4111111111111111 now',
        url: 'pg://matt:pass@localhost/1',
        path: '/Users/ann/src/x.py',
        ssn: '078-05-1120',
        iban: 'DE89370400440532013000',
        header: 'Bearer abc.def',
        number: 4111111111111111,
        micros: 1790000000000000,
      },
    });
    expect(extra).toEqual({
      card: 'pay [Filtered] now',
      url: 'pg://matt:[Filtered]@localhost/1',
      path: '/Users/[Filtered]/src/x.py',
      ssn: '[Filtered]',
      iban: '[Filtered]',
      header: '[Filtered]',
      number: null,
      micros: 1790000000000000,
    });
    expect(_meta).toMatchObject({
      extra: { card: { '': { rem: [['@creditcard:filter', 's', 4, 14]], len: 24 } } },
    });
  });

  test('cookies that identify a session go, others stay', () => {
    const event = scrub({
      request: {
        cookies: [
          ['sessionid', 'abc'],
          ['theme', 'dark'],
          ['csrftoken', 'def'],
        ],
      },
      contexts: { response: { cookies: { PHPSESSID: 'abc', theme: 'dark', unreadable: '' } } },
    });
    expect(event.request?.cookies).toEqual([
      ['sessionid', '[Filtered]'],
      ['theme', 'dark'],
      ['csrftoken', '[Filtered]'],
    ]);
    // Those of a response were given out just then.
    expect(event.contexts?.response).toEqual({
      cookies: { PHPSESSID: '[Filtered]', theme: '[Filtered]' },
    });
    expect(event._meta).toMatchObject({
      request: { cookies: { 0: { 1: { '': { rem: [['@anything:filter', 's', 0, 10]] } } } } },
    });
  });

  test('what identifies events, code and software is left alone', () => {
    const event: Partial<NormalizedEvent> = {
      transaction: '/auth/login',
      logger: 'app.auth.password',
      release: 'auth@1.2.3',
      fingerprint: ['password'],
      modules: { 'django-auth': '1.2.3.4' },
      exception: {
        values: [
          {
            type: 'AuthTokenError',
            module: 'auth',
            stacktrace: {
              frames: [
                { function: 'check_password', filename: '/home/ann/auth.py', context_line: 'token = get()' },
              ],
            },
          },
        ],
      },
      request: { url: 'https://example.com/auth/login', headers: [['User-Agent', 'x 120.0.0.0 auth']] },
      contexts: { trace: { trace_id: '41111111111111111111111111111111', op: 'auth' } },
    };
    expect(scrub(event, { scrubIpAddresses: true })).toEqual({ ...BASE, ...event });
  });

  test('parameters of addresses', () => {
    const event = scrub({
      request: { url: 'https://ann:pw@example.com/x' },
      tags: [['page', 'https://example.com/?page=2&access_token=abc#x']],
    });
    expect(event.request?.url).toBe('https://ann:[Filtered]@example.com/x');
    expect(event.tags).toEqual([['page', 'https://example.com/?page=2&access_token=[Filtered]#x']]);
  });

  test('a context with a telling name becomes empty', () => {
    expect(scrub({ contexts: { secret: { a: 1 } } }).contexts).toEqual({ secret: {} });
  });

  test('what was scrubbed is left as it is the next time', () => {
    const once = scrub({
      extra: { password: 'x', list_secret: [1], note: 'card 4111111111111111' },
      contexts: { credentials: { a: 1 } },
      tags: [['token', 'x']],
    });
    expect(scrub(once)).toEqual(once);
  });

  test('what SDKs filtered already is not marked again', () => {
    const event = { extra: { password: '[Filtered]' } };
    expect(scrub(event)).toEqual({ ...BASE, ...event });
  });

  test('notes on invalid values and the notes of SDKs are scrubbed like the values', () => {
    const event = scrub(
      {
        errors: [
          { type: 'invalid_data', name: 'extra.password', value: 'hunter2' },
          { type: 'invalid_data', name: 'user.ip_address', value: 'from 10.1.2.3' },
          { type: 'invalid_data', name: 'request.method', value: 'GE T' },
        ],
        _meta: {
          extra: { password: { '': { val: 'hunter2', len: 7 } }, x: { '': { val: '4111111111111111' } } },
        },
      },
      { scrubIpAddresses: true },
    );
    expect(JSON.stringify(event)).not.toMatch(/hunter2|10\.1\.2\.3|4111/);
    expect(event.errors?.[2]).toEqual({ type: 'invalid_data', name: 'request.method', value: 'GE T' });
  });

  test('variables of GraphQL', () => {
    const event = scrub({
      request: { api_target: 'graphql', data: { query: 'q', variables: { name: 'ann', age: 4 } } },
      contexts: { response: { data: { data: { viewer: { name: 'ann', city: 'Graz' } } } } },
    });
    expect(event.request?.data).toEqual({
      query: 'q',
      variables: { name: '[Filtered]', age: '[Filtered]' },
    });
    expect(event.contexts?.response).toEqual({
      data: { data: { viewer: { name: '[Filtered]', city: 'Graz' } } },
    });
  });

  test('nothing happens when they are off', () => {
    const event: NormalizedEvent = { ...BASE, extra: { password: 'x' } };
    expect(compileScrubber(OFF).scrubEvent(event)).toBe(event);
  });
});

describe('sensitive and safe fields', () => {
  test('a sensitive field empties values and texts that mention it, whatever its case', () => {
    const { extra, _meta } = scrub(
      { extra: { Fieldy_Field_2: 'x', note: 'fieldy_field=1', other: 'ok' } },
      { ...OFF, sensitiveFields: [' fieldy_field ', ''] },
    );
    expect(extra).toEqual({ Fieldy_Field_2: '[Filtered]', note: '[Filtered]', other: 'ok' });
    expect(_meta).toMatchObject({
      extra: { Fieldy_Field_2: { '': { rem: [['strip-fields', 's', 0, 10]] } } },
    });
  });

  test('a header is known by both of its spellings', () => {
    const event = scrub(
      { request: { headers: [['X-My-Field', 'x']] } },
      { ...OFF, sensitiveFields: ['my_field'] },
    );
    expect(event.request?.headers).toEqual([['X-My-Field', '[Filtered]']]);
  });

  test('a safe name is left alone, and what is below it is looked at', () => {
    const { extra } = scrub(
      { extra: { credentials: { password: 'x', name: 'ann' }, Auth: 'kept' } },
      { safeFields: ['credentials', 'auth'] },
    );
    expect(extra).toEqual({ credentials: { password: '[Filtered]', name: 'ann' }, Auth: 'kept' });
  });

  test('a safe selector names the place', () => {
    const event = scrub(
      { user: { id: '4111111111111111' }, extra: { id: '4111111111111111', 'sys.argv': ['x', 'password'] } },
      { safeFields: ['user.id', "'sys.argv'.*"] },
    );
    expect(event.user?.id).toBe('4111111111111111');
    expect(event.extra).toEqual({ id: '[Filtered]', 'sys.argv': ['x', 'password'] });
  });
});

describe('addresses', () => {
  test('known places are emptied, and addresses in text replaced', () => {
    const event = scrub(
      {
        user: { id: '1', ip_address: '73.133.27.120', username: '73.133.27.120' },
        request: { env: { REMOTE_ADDR: '127.0.0.1' }, headers: [['X-Forwarded-For', '10.0.0.1, ::1']] },
        breadcrumbs: { values: [{ message: 'from 73.133.27.120', data: { deep: { a: '1.2.3.4' } } }] },
      },
      { ...OFF, scrubIpAddresses: true },
    );
    expect(event.user).toEqual({ id: '1', ip_address: null, username: '[ip]' });
    expect(event.request).toEqual({
      env: { REMOTE_ADDR: null },
      headers: [['X-Forwarded-For', '[ip], [ip]']],
    });
    expect(event.breadcrumbs?.values).toEqual([{ message: 'from [ip]', data: { deep: { a: '[ip]' } } }]);
    expect(event._meta).toMatchObject({ user: { ip_address: { '': { rem: [['@anything:remove', 'x']] } } } });
  });

  test('a hashed address becomes the id of a user who has no other', () => {
    const hash = rule('hash', 'ip', '$user.ip_address');
    for (const scrubIpAddresses of [false, true]) {
      const event = scrub(
        { user: { ip_address: '127.0.0.1' } },
        { ...OFF, scrubIpAddresses, advancedRules: [hash] },
      );
      expect(event.user).toEqual({ id: 'AE12FE3B5F129B5CC4CDD2B136B7B7947C4D2741', ip_address: null });
      expect(event._meta).toEqual({
        user: { id: { '': { rem: [['@ip:hash', 'p', 0, 40]], len: 9 } } },
      });
    }
    const named = advanced({ user: { email: 'a@b.co', ip_address: '127.0.0.1' } }, hash);
    expect(named.user).toEqual({ email: 'a@b.co', ip_address: null });
  });

  test('lone addresses', () => {
    expect(compileScrubber(DEFAULTS).scrubIp('127.0.0.1')).toBe('127.0.0.1');
    expect(compileScrubber({ ...DEFAULTS, scrubIpAddresses: true }).scrubIp('127.0.0.1')).toBeNull();
    const hashed = compileScrubber({ ...OFF, advancedRules: [rule('hash', 'ip', '$string')] });
    expect(hashed.scrubIp('127.0.0.1')).toBeNull();
    expect(hashed.scrubIp(null)).toBeNull();
  });
});

describe('advanced rules', () => {
  test.each<[string, AdvancedRule, unknown]>([
    ['remove a part', rule('remove', 'email', 'extra.x'), 'a  b'],
    ['mask', rule('mask', 'email', 'extra.x'), 'a ******** b'],
    ['hash', rule('hash', 'anything', 'extra.x'), '1A24D2C59BC2A74AD17F8B8CD3B5BFE4F3CCE3F0'],
    ['replace', rule('replace', 'email', 'extra.x'), 'a [email] b'],
    ['replace by', rule('replace', 'email', 'extra.x', { placeholder: '<who>' }), 'a <who> b'],
    ['remove all', rule('remove', 'anything', 'extra.x'), null],
    ['replace all', rule('replace', 'anything', 'extra.x'), '[Filtered]'],
    ['a pattern', rule('mask', 'pattern', 'extra.x', { pattern: '[a-z]@' }), 'a **b.test b'],
    ['elsewhere', rule('mask', 'email', 'extra.y'), 'a a@b.test b'],
    ['a rule that cannot be read', rule('mask', 'email', 'extra..'), 'a a@b.test b'],
    ['a pattern that cannot be read', rule('mask', 'pattern', '**', { pattern: '(' }), 'a a@b.test b'],
  ])('%s', (_name, one, expected) => {
    const { extra } = advanced({ extra: { x: 'a a@b.test b' } }, one);
    if (one.method === 'hash') expect(extra?.x).toMatch(/^[0-9A-F]{40}$/);
    else expect(extra?.x).toBe(expected);
  });

  test.each<[string, Partial<NormalizedEvent>, (event: NormalizedEvent) => unknown]>([
    ['$message', { logentry: { formatted: 's3' } }, (event) => event.logentry?.formatted],
    [
      '$logentry.params.*',
      { logentry: { params: ['s3'] } },
      (event) => Object.values(event.logentry?.params ?? {})[0],
    ],
    [
      '$error.value',
      { exception: { values: [{ value: 's3' }] } },
      (event) => event.exception?.values[0]?.value,
    ],
    [
      '$http.headers.x-own',
      { request: { headers: [['X-Own', 's3']] } },
      (event) => event.request?.headers?.[0]?.[1],
    ],
    ['$request.data', { request: { data: 's3' } }, (event) => event.request?.data],
    ['$user.email', { user: { email: 's3' } }, (event) => event.user?.email],
    ['$user.geo.**', { user: { geo: { city: 's3' } } }, (event) => event.user?.geo?.city],
    ['user.data.x', { user: { data: { x: 's3' } } }, (event) => event.user?.data?.x],
    ['tags.own', { tags: [['own', 's3']] }, (event) => event.tags?.[0]?.[1]],
    [
      'contexts.device.timezone',
      { contexts: { device: { timezone: 's3' } } },
      (event) => event.contexts?.device?.timezone,
    ],
    [
      '$breadcrumb.message',
      { breadcrumbs: { values: [{ message: 's3' }] } },
      (event) => event.breadcrumbs?.values[0]?.message,
    ],
    [
      '$frame.vars.x',
      { stacktrace: { frames: [{ vars: { x: 's3' } }] } },
      (event) => event.stacktrace?.frames[0]?.vars?.x,
    ],
    [
      '$stack.frames.*.vars.x',
      { stacktrace: { frames: [{ vars: { x: 's3' } }] } },
      (event) => event.stacktrace?.frames[0]?.vars?.x,
    ],
    [
      '$frame.context_line',
      { stacktrace: { frames: [{ context_line: 's3' }] } },
      (event) => event.stacktrace?.frames[0]?.context_line,
    ],
    ['request.url', { request: { url: 's3' } }, (event) => event.request?.url],
    ["extra.'a b'", { extra: { 'a b': 's3' } }, (event) => event.extra?.['a b']],
    ['extra.**', { extra: { a: 's3' } }, (event) => event.extra?.a],
  ])('%s', (selector, payload, read) => {
    expect(read(advanced(payload, rule('replace', 'anything', selector, { placeholder: '#' })))).toBe('#');
  });

  test('`**` leaves out what only a named place reaches', () => {
    const event = advanced(
      {
        transaction: 't',
        culprit: 'c',
        request: { url: 'https://example.com' },
        extra: { a: 'x' },
        stacktrace: { frames: [{ function: 'f', module: 'm', vars: { v: 'x' } }] },
      },
      rule('replace', 'anything', '**', { placeholder: '#' }),
    );
    expect(event).toMatchObject({
      event_id: BASE.event_id,
      transaction: 't',
      culprit: 'c',
      request: { url: 'https://example.com' },
      stacktrace: { frames: [{ function: 'f', module: 'm' }] },
    });
    // What is no text can only be removed, and `extra` and `vars` are no text.
    expect(event.extra).toBeNull();
    expect(event.stacktrace?.frames[0]?.vars).toBeNull();
  });

  test('a removed part of the schema leaves its shape', () => {
    const event = advanced(
      {
        exception: { values: [{ type: 'A' }, { type: 'B' }] },
        tags: [['a', 'b']],
        contexts: { device: { name: 'x' } },
        breadcrumbs: { values: [{ message: 'x' }] },
      },
      rule('remove', 'anything', '$error || tags || contexts.device || breadcrumbs.values'),
    );
    expect(event.exception).toEqual({ values: [{}, {}] });
    expect(event.tags).toEqual([]);
    expect(event.contexts).toEqual({ device: {} });
    expect(event.breadcrumbs).toEqual({ values: [] });
  });

  test('a negation does not take parts of the schema away', () => {
    const event = advanced(
      { exception: { values: [{ type: 'A' }] } },
      rule('remove', 'anything', '!extra.x'),
    );
    expect(event.exception).toEqual({ values: [{ type: 'A' }] });
  });

  test('the name of a file stays', () => {
    const { stacktrace } = advanced(
      { stacktrace: { frames: [{ filename: '/home/ann/x.py', abs_path: 'x.py' }] } },
      rule('mask', 'userpath', '$frame.filename'),
    );
    expect(stacktrace?.frames[0]).toEqual({ filename: '/home/***/x.py', abs_path: 'x.py' });
  });

  test('rules apply in their order, and leave alone what an earlier one put in', () => {
    const { extra, _meta } = advanced(
      { extra: { x: 'ann@example.com 10.0.0.1' } },
      rule('replace', 'email', 'extra.x', { placeholder: '10.0.0.2' }),
      rule('mask', 'ip', 'extra.x'),
    );
    expect(extra?.x).toBe('10.0.0.2 ********');
    expect(_meta).toEqual({
      extra: {
        x: {
          '': {
            rem: [
              ['@email:replace', 's', 0, 8],
              ['@ip:mask', 'm', 9, 17],
            ],
            len: 24,
          },
        },
      },
    });
  });

  test('they apply to safe fields too', () => {
    const settings = { safeFields: ['x'], advancedRules: [rule('mask', 'email', '$string')] };
    expect(scrub({ extra: { x: 'a@b.test password' } }, settings).extra).toEqual({ x: '******** password' });
  });

  test('a pattern that is too dear hides the text instead of letting it pass', () => {
    const costly = rule('mask', 'pattern', 'extra.**', { pattern: '(?:[ab]*?){60}(?:[ab]+?){60}c' });
    const extra = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`k${index}`, 'ab'.repeat(1_000)]),
    );
    const event = withinMs(3_000, () => advanced({ extra }, costly));
    expect(Object.values(event.extra ?? {}).at(-1)).toBe('[Filtered]');
  });
});

describe('other payloads', () => {
  const { scrubRecord, scrubAttachmentName } = compileScrubber({ ...DEFAULTS, scrubIpAddresses: true });

  test('spans', () => {
    expect(
      scrubRecord('span', {
        description: 'GET https://ann:pw@example.com/?token=abc',
        op: 'http.client',
        data: {
          'http.request.header.cookie': 'a=b',
          'http.request.header.cookie.sessionid': 'x',
          'gen_ai.usage.total_tokens': 42,
          'gen_ai.prompt': 'my password? mail ann@example.com',
          'url.path': '/auth/login',
          'client.address': '10.0.0.1',
          api_key: 'abc',
          secret_number: 42,
        },
      }),
    ).toEqual({
      description: 'GET https://ann:[Filtered]@example.com/?token=[Filtered]',
      op: 'http.client',
      data: {
        'http.request.header.cookie': '[Filtered]',
        'http.request.header.cookie.sessionid': '[Filtered]',
        'gen_ai.usage.total_tokens': 42,
        'gen_ai.prompt': 'my password? mail [email]',
        'url.path': '/auth/login',
        api_key: '[Filtered]',
      },
    });
  });

  test('attributes as they are sent', () => {
    expect(
      scrubRecord('log', {
        body: 'login of ann@example.com from 10.0.0.1',
        attributes: { token: { value: 'abc', type: 'string' }, ok: { value: 1, type: 'integer' } },
      }),
    ).toEqual({
      body: 'login of [email] from [ip]',
      attributes: { token: { value: '[Filtered]', type: 'string' }, ok: { value: 1, type: 'integer' } },
    });
  });

  test('selectors of attributes', () => {
    const own = compileScrubber({
      ...OFF,
      advancedRules: [
        rule('replace', 'anything', "$log.attributes.'my.key'.value", { placeholder: '#' }),
        rule('remove', 'anything', 'attributes.gone'),
      ],
    });
    expect(own.scrubRecord('log', { body: '', attributes: { 'my.key': 'x', gone: 4 } })).toEqual({
      body: '',
      attributes: { 'my.key': '#' },
    });
  });

  test('metrics, feedback, replays, profiles, transactions', () => {
    expect(scrubRecord('metric', { name: 'auth.count', attributes: { password: 'x', host: 'a' } })).toEqual({
      name: 'auth.count',
      attributes: { password: '[Filtered]', host: 'a' },
    });
    expect(
      scrubRecord('feedback', {
        contexts: { feedback: { message: 'card 4111111111111111', contact_email: 'a@b.co' } },
      }),
    ).toMatchObject({ contexts: { feedback: { message: 'card [Filtered]', contact_email: 'a@b.co' } } });
    expect(
      scrubRecord('replay', { urls: ['https://example.com/auth?token=x'], user: { ip_address: '::1' } }),
    ).toMatchObject({ urls: ['https://example.com/auth?token=[Filtered]'], user: { ip_address: null } });
    expect(scrubRecord('profile', { transaction_tags: { token: 'x' }, version: '2' })).toEqual({
      transaction_tags: { token: '[Filtered]' },
      version: '2',
    });
    const transaction = scrubRecord('transaction', {
      transaction: '/auth',
      contexts: { trace: { data: { password: 'x' } } },
      spans: [{ data: { password: 'x' }, description: 'SELECT 1' }],
    });
    expect(transaction).toMatchObject({
      transaction: '/auth',
      spans: [{ data: { password: '[Filtered]' }, description: 'SELECT 1' }],
      _meta: { spans: { 0: { data: { password: {} } } } },
    });
  });

  test('names of attachments', () => {
    expect(scrubAttachmentName('log of 4111111111111111.txt')).toBe('log of [Filtered].txt');
    expect(scrubAttachmentName('auth.log')).toBe('auth.log');
    const gone = compileScrubber({
      ...OFF,
      advancedRules: [rule('remove', 'anything', '$attachments.filename')],
    });
    expect(gone.scrubAttachmentName('ann.txt')).toBe('attachment');
  });
});
