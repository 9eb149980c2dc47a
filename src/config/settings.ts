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
      'The public address, as people and SDKs reach it. Decides links, DSNs and whether cookies are Secure (https). Plain http on a LAN works.',
  },
  { name: 'ERRATA_DATA_DIR', default: './data', meaning: 'Everything that is kept lies below it.' },
  {
    name: 'ERRATA_SECRET',
    default: 'made on first start, kept in the data directory (mode 0600)',
    meaning: 'Signs sessions; 32 characters or more. Set it when several machines run the web role.',
  },
  {
    name: 'ERRATA_METRICS_TOKEN',
    default: 'made on first start, kept in the data directory (mode 0600)',
    meaning: 'Bearer token for /metrics and for the details of /health/ready; 32 characters or more.',
  },
  {
    name: 'ERRATA_TRUSTED_PROXIES',
    default: '',
    meaning: 'Addresses or CIDR ranges, comma-separated, whose X-Forwarded-For and X-Forwarded-Proto count.',
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
    meaning: 'With ERRATA_ADMIN_PASSWORD: the first start makes the owner, the organization and a project.',
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
      'A file that holds the password, in place of ERRATA_ADMIN_PASSWORD, so that it is never in an environment variable.',
  },
  {
    name: 'ERRATA_SESSION_IDLE_HOURS_MAX',
    default: '168',
    meaning: 'Hours after which a session that is not used ends, 1 to 8760.',
  },
  {
    name: 'ERRATA_SESSION_HOURS_MAX',
    default: '720',
    meaning: 'Hours after which a session ends in any case, 1 to 8760.',
  },
  {
    name: 'ERRATA_API_REQUESTS_PER_MINUTE_MAX',
    default: '6000',
    meaning:
      'Requests to /api/0/ in a minute of one user, with all their tokens, or of one token of an organization, 60 to 1000000.',
  },
  {
    name: 'ERRATA_API_CONCURRENT_REQUESTS_MAX',
    default: '100',
    meaning: 'Requests to /api/0/ that one of these may have under way at once, 1 to 1000.',
  },
  {
    name: 'ERRATA_SPOOL_BYTES_MAX',
    default: '2147483648',
    meaning: 'Bytes that may wait between edge and digest; beyond it SDKs get 503 with Retry-After.',
  },
  {
    name: 'ERRATA_CLICKHOUSE_MEMORY_BYTES_MAX',
    default: '536870912',
    meaning: 'What the embedded ClickHouse may allocate, in bytes.',
  },
  {
    name: 'ERRATA_DISK_BYTES_MAX',
    default: '10 GiB, or 80 % of the volume when that is less',
    meaning:
      'What everything below the data directory may occupy, in bytes. Data is dropped before it is passed.',
  },
  {
    name: 'ERRATA_RETENTION_DAYS',
    default: '90',
    meaning: 'Days that data is kept, 1 to 3650, where nobody decided otherwise on the storage page.',
  },
  {
    name: 'ERRATA_GEOIP_DATABASE',
    default: '',
    meaning:
      'A City database in the MMDB format, for example GeoLite2-City.mmdb: country and city of users by their address. A newer file is taken within a minute.',
  },
  {
    name: 'ERRATA_TUNNEL_REGIONS',
    default: '',
    meaning:
      'Regions of the error-reporting tunnel, comma-separated name=address pairs: eu=https://errors.example.eu',
  },
  {
    name: 'ERRATA_FETCH_SOURCE_MAPS_FROM',
    default: '',
    meaning:
      'Hosts, comma-separated, whose public scripts are asked for their source maps when none was uploaded: cdn.example.com, *.example.com. Empty: nothing is fetched. Addresses of inner networks never are. See docs/source-maps.md.',
  },
  {
    name: 'ERRATA_ALLOW_INSIDE_ADDRESSES',
    default: '',
    meaning:
      'Addresses, ranges and names of inner networks, comma-separated, that alert destinations and trackers may lead to: 10.0.0.0/8, hooks.lan, *.corp.example. Empty: none may. See docs/destinations.md.',
  },
  {
    name: 'ERRATA_SMTP_URL',
    default: '',
    meaning:
      'The server that sends mail: smtp://user:password@host:587 (STARTTLS) or smtps://user:password@host:465. Without it links are shown to copy.',
  },
  {
    name: 'ERRATA_MAIL_FROM',
    default: '',
    meaning: 'With ERRATA_SMTP_URL: who mails come from, for example Errata <errata@example.com>.',
  },
  {
    name: 'ERRATA_OIDC_ISSUER',
    default: '',
    meaning:
      'Single sign-on: the issuer of an OpenID Connect provider, as its discovery document writes it. Register <ERRATA_URL>/login/sso/callback there. See docs/accounts.md.',
  },
  {
    name: 'ERRATA_OIDC_CLIENT_ID',
    default: '',
    meaning: 'With ERRATA_OIDC_ISSUER: the name of this client at the provider.',
  },
  { name: 'ERRATA_OIDC_CLIENT_SECRET', default: '', meaning: 'With ERRATA_OIDC_ISSUER: its secret.' },
  {
    name: 'ERRATA_OIDC_NAME',
    default: 'single sign-on',
    meaning: 'What the button says: “Continue with <name>”.',
  },
  {
    name: 'ERRATA_OIDC_ALLOWED_DOMAINS',
    default: '',
    meaning: 'Domains of e-mail addresses, comma-separated, that may sign in this way. Empty: any.',
  },
  {
    name: 'ERRATA_OIDC_AUTO_JOIN',
    default: '',
    meaning:
      'organization=role, for example main=member: people of the allowed domains without an account get one. Empty: only people who have an account or are invited.',
  },
  {
    name: 'ERRATA_SELF_REPORTING',
    default: 'on',
    meaning: 'on or off: whether the app reports its own errors to the project errata-self.',
  },
  { name: 'ERRATA_LOG_LEVEL', default: 'info', meaning: 'fatal, error, warn, info, debug or silent.' },
  { name: 'ERRATA_FAULT_POINTS', default: '', meaning: 'For fault tests only; see docs/testing.md.' },
];
