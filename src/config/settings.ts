type Setting = {
  name: string;
  /** As written in the documentation; empty when there is none. */
  default: string;
  meaning: string;
};

/** Every setting, in the order of the documentation (docs/operate.md holds the same table; a test compares). */
export const SETTINGS: readonly Setting[] = [
  { name: 'PORT', default: '9000', meaning: 'The one public port: pages, API and ingest.' },
  { name: 'ERRATA_HOST', default: '0.0.0.0', meaning: 'The address to listen on.' },
  {
    name: 'ERRATA_URL',
    default: 'http://localhost:<PORT>',
    meaning:
      'The public URL, as people and SDKs reach it. Determines links, DSNs and whether cookies are Secure (HTTPS). Plain HTTP on a LAN works.',
  },
  { name: 'ERRATA_DATA_DIR', default: './data', meaning: 'The directory for everything that Errata stores.' },
  {
    name: 'ERRATA_SECRET',
    default: 'created on first start in the data directory (mode 0600)',
    meaning: 'Signs sessions; 32 characters or more. Set it when several machines run the web role.',
  },
  {
    name: 'ERRATA_METRICS_TOKEN',
    default: 'created on first start in the data directory (mode 0600)',
    meaning: 'Bearer token for /metrics and for the details of /health/ready; 32 characters or more.',
  },
  {
    name: 'ERRATA_TRUSTED_PROXIES',
    default: '',
    meaning:
      'Addresses or CIDR ranges of proxies, comma-separated, whose X-Forwarded-For and X-Forwarded-Proto headers are trusted.',
  },
  {
    name: 'DATABASE_URL',
    default: 'embedded PostgreSQL',
    meaning: 'An external PostgreSQL, 15 or newer: postgres://user:password@host:5432/errata',
  },
  {
    name: 'CLICKHOUSE_URL',
    default: 'embedded ClickHouse',
    meaning: 'An external ClickHouse, 25.8 or newer, over HTTP: http://user:password@host:8123/errata',
  },
  {
    name: 'ERRATA_ADMIN_EMAIL',
    default: '',
    meaning: 'With ERRATA_ADMIN_PASSWORD: the first start creates the owner, the organization and a project.',
  },
  {
    name: 'ERRATA_ADMIN_PASSWORD',
    default: '',
    meaning:
      '12 characters or more, hard to guess. Used on the first start only; no role has it in its environment.',
  },
  {
    name: 'ERRATA_ADMIN_PASSWORD_FILE',
    default: '',
    meaning:
      'A file that contains the password, instead of ERRATA_ADMIN_PASSWORD, so that it is never in an environment variable.',
  },
  {
    name: 'ERRATA_SESSION_IDLE_HOURS_MAX',
    default: '168',
    meaning: 'Hours after which an unused session expires, 1 to 8760.',
  },
  {
    name: 'ERRATA_SESSION_HOURS_MAX',
    default: '720',
    meaning: 'Hours after which a session expires in any case, 1 to 8760.',
  },
  {
    name: 'ERRATA_API_REQUESTS_PER_MINUTE_MAX',
    default: '6000',
    meaning:
      'Requests to /api/0/ per minute for one user, with all their tokens, or for one organization token, 60 to 1000000.',
  },
  {
    name: 'ERRATA_API_CONCURRENT_REQUESTS_MAX',
    default: '100',
    meaning: 'Concurrent requests to /api/0/ for one user or one organization token, 1 to 1000.',
  },
  {
    name: 'ERRATA_SPOOL_BYTES_MAX',
    default: '2147483648',
    meaning: 'Bytes that can wait between edge and digest; beyond that, SDKs get 503 with Retry-After.',
  },
  {
    name: 'ERRATA_CLICKHOUSE_MEMORY_BYTES_MAX',
    default: '536870912',
    meaning: 'Memory that the embedded ClickHouse can allocate, in bytes.',
  },
  {
    name: 'ERRATA_DISK_BYTES_MAX',
    default: '10 GiB, or 80% of the volume if that is less',
    meaning:
      'Disk space for everything in the data directory, in bytes. Data is dropped before this is exceeded.',
  },
  {
    name: 'ERRATA_RETENTION_DAYS',
    default: '90',
    meaning: 'Days that data is kept, 1 to 3650, unless changed on the storage page.',
  },
  {
    name: 'ERRATA_GEOIP_DATABASE',
    default: '',
    meaning:
      'A City database in MMDB format, for example GeoLite2-City.mmdb, to find the country and city of users by IP address. A newer file is picked up within a minute.',
  },
  {
    name: 'ERRATA_TUNNEL_REGIONS',
    default: '',
    meaning:
      'Regions of the error-reporting tunnel, as comma-separated name=URL pairs: eu=https://errors.example.eu',
  },
  {
    name: 'ERRATA_FETCH_SOURCE_MAPS_FROM',
    default: '',
    meaning:
      'Hosts, comma-separated, to fetch source maps of public scripts from if none were uploaded: cdn.example.com, *.example.com. Empty: nothing is fetched. Private networks are never accessed. See docs/source-maps.md.',
  },
  {
    name: 'ERRATA_ALLOW_INSIDE_ADDRESSES',
    default: '',
    meaning:
      'Private network addresses, ranges and host names, comma-separated, that alert destinations and trackers can use: 10.0.0.0/8, hooks.lan, *.corp.example. Empty: none. See docs/destinations.md.',
  },
  {
    name: 'ERRATA_SMTP_URL',
    default: '',
    meaning:
      'The server that sends mail: smtp://user:password@host:587 (STARTTLS) or smtps://user:password@host:465. Without it, links are shown for you to copy.',
  },
  {
    name: 'ERRATA_MAIL_FROM',
    default: '',
    meaning: 'With ERRATA_SMTP_URL: the sender of emails, for example Errata <errata@example.com>.',
  },
  {
    name: 'ERRATA_OIDC_ISSUER',
    default: '',
    meaning:
      'Single sign-on: the issuer of an OpenID Connect provider, exactly as in its discovery document. Register <ERRATA_URL>/login/sso/callback there. See docs/accounts.md.',
  },
  {
    name: 'ERRATA_OIDC_CLIENT_ID',
    default: '',
    meaning: 'With ERRATA_OIDC_ISSUER: the client ID at the provider.',
  },
  { name: 'ERRATA_OIDC_CLIENT_SECRET', default: '', meaning: 'With ERRATA_OIDC_ISSUER: the client secret.' },
  {
    name: 'ERRATA_OIDC_NAME',
    default: 'single sign-on',
    meaning: 'The name on the sign-in button: “Continue with <name>”.',
  },
  {
    name: 'ERRATA_OIDC_ALLOWED_DOMAINS',
    default: '',
    meaning: 'Domains of email addresses, comma-separated, that can sign in this way. Empty: any.',
  },
  {
    name: 'ERRATA_OIDC_AUTO_JOIN',
    default: '',
    meaning:
      'organization=role, for example main=member: people from the allowed domains without an account get one. Empty: only people with an account or an invitation can sign in.',
  },
  {
    name: 'ERRATA_SELF_REPORTING',
    default: 'on',
    meaning: 'on or off: whether Errata reports its own errors to the project errata-self.',
  },
  { name: 'ERRATA_LOG_LEVEL', default: 'info', meaning: 'fatal, error, warn, info, debug or silent.' },
  { name: 'ERRATA_FAULT_POINTS', default: '', meaning: 'For fault tests only; see docs/testing.md.' },
];
