import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SETTINGS } from './config/settings.ts';
import { parseConfig, readAdminPassword } from './config.ts';

const problems = (env: Record<string, string>): string => {
  try {
    parseConfig(env);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

describe('the configuration', () => {
  test('needs nothing', () => {
    expect(parseConfig({})).toMatchObject({
      port: 9000,
      host: '0.0.0.0',
      publicUrl: 'http://localhost:9000',
      databaseUrl: null,
      clickhouseUrl: null,
      admin: null,
    });
  });

  test('derives the public address from the port, and drops a slash at its end', () => {
    expect(parseConfig({ PORT: '9100' }).publicUrl).toBe('http://localhost:9100');
    expect(parseConfig({ ERRATA_URL: 'https://errors.example.com/' }).publicUrl).toBe(
      'https://errors.example.com',
    );
  });

  test('names an unknown ERRATA_ variable, and the one that was probably meant', () => {
    expect(problems({ ERRATA_DATADIR: 'x', ERRATA_ADMIN_MAIL: 'x' })).toBe(
      'ERRATA_DATADIR is not an Errata setting: remove it, or see the table of settings in docs/operate.md\n' +
        'ERRATA_ADMIN_MAIL is not an Errata setting: did you mean ERRATA_ADMIN_EMAIL?',
    );
  });

  test('leaves other programs and the tests their variables', () => {
    expect(
      problems({ PATH: '/bin', ERRATA_TEST_X: '1', ERRATA_BENCH_SECONDS: '5', ERRATA_CORPUS: '/c' }),
    ).toBe('');
  });

  test.each([
    ['PORT', '0'],
    ['PORT', '70000'],
    ['PORT', 'http'],
    ['ERRATA_URL', 'errors.example.com'],
    ['ERRATA_SECRET', 'short'],
    ['ERRATA_TRUSTED_PROXIES', '10.0.0.0/33'],
    ['ERRATA_TRUSTED_PROXIES', 'proxy'],
    ['DATABASE_URL', 'mysql://x'],
    ['CLICKHOUSE_URL', 'host:9000'],
    ['CLICKHOUSE_CLUSTER', "a'b"],
    ['ERRATA_ADMIN_PASSWORD', 'short'],
    ['ERRATA_ADMIN_EMAIL', 'ana'],
    ['ERRATA_SPOOL_BYTES_MAX', '2GB'],
    ['ERRATA_TUNNEL_REGIONS', 'eu'],
    ['ERRATA_FETCH_SOURCE_MAPS_FROM', 'https://cdn.example.com'],
    ['ERRATA_FETCH_SOURCE_MAPS_FROM', '10.0.0.1'],
    ['ERRATA_SESSION_IDLE_HOURS_MAX', '0'],
    ['ERRATA_SESSION_HOURS_MAX', '1.5'],
    ['ERRATA_API_REQUESTS_PER_MINUTE_MAX', '59'],
    ['ERRATA_API_CONCURRENT_REQUESTS_MAX', '1001'],
    ['ERRATA_SELF_REPORTING', 'yes'],
    ['ERRATA_LOG_LEVEL', 'loud'],
  ])('refuses %s=%s and names it', (name, value) => {
    expect(problems({ [name]: value })).toContain(name);
  });

  test('a cluster becomes a part of the address of ClickHouse, and needs one', () => {
    const CLICKHOUSE_URL = 'http://user:secret@ch-1:8123/errata';
    expect(parseConfig({ CLICKHOUSE_URL }).clickhouseUrl).toBe(CLICKHOUSE_URL);
    expect(parseConfig({ CLICKHOUSE_URL, CLICKHOUSE_CLUSTER: 'main' }).clickhouseUrl).toBe(
      `${CLICKHOUSE_URL}?cluster=main`,
    );
    expect(problems({ CLICKHOUSE_CLUSTER: 'main' })).toContain('CLICKHOUSE_URL is missing');
  });

  test('reports every problem at once', () => {
    expect(problems({ PORT: 'x', ERRATA_NOPE: '1', ERRATA_LOG_LEVEL: 'x' }).split('\n')).toHaveLength(3);
  });

  test('wants both halves of the first owner', () => {
    expect(problems({ ERRATA_ADMIN_EMAIL: 'ana@example.com' })).toContain('ERRATA_ADMIN_PASSWORD is missing');
    expect(problems({ ERRATA_ADMIN_PASSWORD: 'correct horse' })).toContain('ERRATA_ADMIN_EMAIL is missing');
  });

  test('reads the password of the first owner from a file, with or without the end of its line', () => {
    const folder = mkdtempSync(join(tmpdir(), 'errata-config-'));
    try {
      const file = join(folder, 'password');
      const admin = (content: string) => {
        writeFileSync(file, content);
        const config = parseConfig({
          ERRATA_ADMIN_EMAIL: 'ana@example.com',
          ERRATA_ADMIN_PASSWORD_FILE: file,
        });
        return readAdminPassword(config.admin!);
      };
      for (const end of ['', '\n', '\r\n']) {
        expect(admin(`three birds on a wire${end}`)).toBe('three birds on a wire');
      }
      expect(() => admin('short\n')).toThrow(/^ERRATA_ADMIN_PASSWORD_FILE: .* the password is shorter/);
      const both = { ERRATA_ADMIN_PASSWORD: 'three birds on a wire', ERRATA_ADMIN_PASSWORD_FILE: file };
      writeFileSync(file, 'four birds on a wire');
      expect(problems({ ERRATA_ADMIN_EMAIL: 'ana@example.com', ...both })).toContain('both set');
    } finally {
      rmSync(folder, { recursive: true });
    }
    // Later starts and the command line need neither the file nor the right to read it.
    const gone = { ERRATA_ADMIN_EMAIL: 'ana@example.com', ERRATA_ADMIN_PASSWORD_FILE: '/nowhere' };
    expect(() => readAdminPassword(parseConfig(gone).admin!)).toThrow('/nowhere cannot be read');
  });

  test('sessions end after a week without use and a month in any case, unless said', () => {
    const HOUR_MS = 3_600_000;
    expect(parseConfig({}).sessionLimits).toEqual({ idleMsMax: 168 * HOUR_MS, ageMsMax: 720 * HOUR_MS });
    expect(
      parseConfig({ ERRATA_SESSION_IDLE_HOURS_MAX: '1', ERRATA_SESSION_HOURS_MAX: '12' }).sessionLimits,
    ).toEqual({ idleMsMax: HOUR_MS, ageMsMax: 12 * HOUR_MS });
  });

  test('reads proxies and regions', () => {
    const config = parseConfig({
      ERRATA_TRUSTED_PROXIES: '10.0.0.0/8, 2001:db8::1',
      ERRATA_TUNNEL_REGIONS: 'eu=https://eu.example.com/,us=https://us.example.com',
    });
    expect(config.trustedProxies?.check('10.1.2.3')).toBe(true);
    expect(config.trustedProxies?.check('11.1.2.3')).toBe(false);
    expect(config.trustedProxies?.check('2001:db8::1', 'ipv6')).toBe(true);
    expect([...config.tunnelRegions]).toEqual([
      ['eu', 'https://eu.example.com'],
      ['us', 'https://us.example.com'],
    ]);
  });

  test('fetches source maps from nowhere, or from the hosts that are named', () => {
    expect(parseConfig({}).sourceMapHosts).toEqual([]);
    const { sourceMapHosts } = parseConfig({
      ERRATA_FETCH_SOURCE_MAPS_FROM: 'cdn.example.com, *.example.org',
    });
    expect(sourceMapHosts.map(({ name, withBelow }) => [name, withBelow])).toEqual([
      ['cdn.example.com', false],
      ['example.org', true],
    ]);
  });

  describe('single sign-on', () => {
    const OIDC = {
      ERRATA_OIDC_ISSUER: 'https://id.example.com/realms/main',
      ERRATA_OIDC_CLIENT_ID: 'errata',
      ERRATA_OIDC_CLIENT_SECRET: 'secret',
    };

    test('is off without settings, and complete with three', () => {
      expect(parseConfig({}).singleSignOn).toBeNull();
      expect(parseConfig(OIDC).singleSignOn).toEqual({
        issuer: 'https://id.example.com/realms/main',
        clientId: 'errata',
        clientSecret: 'secret',
        name: 'single sign-on',
        allowedDomains: [],
        autoJoin: null,
      });
      const { ERRATA_OIDC_CLIENT_SECRET: _, ...half } = OIDC;
      expect(problems(half)).toContain('ERRATA_OIDC_CLIENT_SECRET is missing');
    });

    test('lets people of named domains in, as named, and never everybody', () => {
      const open = { ...OIDC, ERRATA_OIDC_AUTO_JOIN: 'main=member' };
      expect(problems(open)).toContain('needs ERRATA_OIDC_ALLOWED_DOMAINS');
      const config = parseConfig({ ...open, ERRATA_OIDC_ALLOWED_DOMAINS: 'Example.com, @example.org' });
      expect(config.singleSignOn).toMatchObject({
        allowedDomains: ['example.com', 'example.org'],
        autoJoin: { organizationSlug: 'main', role: 'member' },
      });
    });

    test.each([
      ['ERRATA_OIDC_ISSUER', 'id.example.com'],
      ['ERRATA_OIDC_ISSUER', 'http://id.example.com'],
      ['ERRATA_OIDC_ISSUER', 'https://id.example.com/?tenant=1'],
      ['ERRATA_OIDC_ALLOWED_DOMAINS', 'example'],
      ['ERRATA_OIDC_AUTO_JOIN', 'main'],
      ['ERRATA_OIDC_AUTO_JOIN', 'main=owner'],
    ])('refuses %s=%s', (name, value) => {
      expect(problems({ ...OIDC, ERRATA_OIDC_ALLOWED_DOMAINS: 'example.com', [name]: value })).toContain(
        name,
      );
    });
  });

  test('has a meaning for every setting', () => {
    for (const setting of SETTINGS) expect(setting.meaning).not.toBe('');
  });
});
