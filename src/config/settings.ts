type Setting = {
  name: string;
  /** As written in the documentation; empty when there is none. */
  default: string;
  meaning: string;
};

/** Every setting, in the order of the documentation (docs/operate.md holds the same table; a test compares). */
const DESCRIBED: Readonly<Record<string, Pick<Setting, 'meaning'> & { default?: string }>> = {
  PORT: { default: '9000', meaning: 'The one public port: pages, API and ingest.' },
  ERRATA_HOST: { default: '0.0.0.0', meaning: 'The address to listen on.' },
  ERRATA_HEALTH_PORT: {
    meaning:
      'Without the edge role: the port that answers /health/live, /health/ready and /metrics for the roles of this machine. The edge answers them on PORT.',
  },
  ERRATA_URL: {
    default: 'http://localhost:<PORT>',
    meaning:
      'The public URL, as people and SDKs reach it. Determines links, DSNs and whether cookies are Secure (HTTPS). Plain HTTP on a LAN works.',
  },
  ERRATA_DATA_DIR: { default: './data', meaning: 'The directory for everything that Errata stores.' },
  ERRATA_SECRET: {
    default: 'created on first start in the data directory (mode 0600)',
    meaning: 'Signs sessions; 32 characters or more. Set it when several machines run the web role.',
  },
  ERRATA_SECRET_FILE: { meaning: 'A file that contains the secret, instead of ERRATA_SECRET.' },
  ERRATA_METRICS_TOKEN: {
    default: 'created on first start in the data directory (mode 0600)',
    meaning: 'Bearer token for /metrics and for the details of /health/ready; 32 characters or more.',
  },
  ERRATA_METRICS_TOKEN_FILE: { meaning: 'A file that contains the token, instead of ERRATA_METRICS_TOKEN.' },
  ERRATA_TRUSTED_PROXIES: {
    meaning:
      'Addresses or CIDR ranges of proxies, comma-separated, whose X-Forwarded-For and X-Forwarded-Proto headers are trusted.',
  },
  DATABASE_URL: {
    default: 'embedded PostgreSQL',
    meaning:
      'An external PostgreSQL, 15 or newer: postgres://user:password@host:5432/errata. With several hosts, separated by commas, the one that can be written to is used. See docs/scale.md.',
  },
  DATABASE_URL_FILE: { meaning: 'A file that contains the URL, instead of DATABASE_URL.' },
  DATABASE_DIRECT_URL: {
    meaning:
      'Set it when DATABASE_URL leads to a pooler in transaction mode: the same database without the pooler, for migrations, notifications and locks.',
  },
  DATABASE_DIRECT_URL_FILE: { meaning: 'A file that contains the URL, instead of DATABASE_DIRECT_URL.' },
  CLICKHOUSE_URL: {
    default: 'embedded ClickHouse',
    meaning: 'An external ClickHouse, 25.8 or newer, over HTTP: http://user:password@host:8123/errata',
  },
  CLICKHOUSE_URL_FILE: { meaning: 'A file that contains the URL, instead of CLICKHOUSE_URL.' },
  CLICKHOUSE_CLUSTER: {
    default: 'one server',
    meaning:
      'With CLICKHOUSE_URL: the name of a cluster in its remote_servers, over whose shards the data is spread. See docs/scale.md.',
  },
  ERRATA_BLOBS_URL: {
    default: 'files in the data directory',
    meaning:
      'A bucket for attachments, replays, profiles, dumps, source maps and other uploads: s3://bucket/prefix?endpoint=https://host&region=eu-central-1&path-style=on. See docs/scale.md.',
  },
  ERRATA_S3_ACCESS_KEY_ID: {
    default: 'found as the AWS SDK finds it',
    meaning: 'With ERRATA_BLOBS_URL: the ID of the access key.',
  },
  ERRATA_S3_SECRET_ACCESS_KEY: { meaning: 'With ERRATA_S3_ACCESS_KEY_ID: its secret.' },
  ERRATA_S3_SECRET_ACCESS_KEY_FILE: {
    meaning: 'A file that contains the secret, instead of ERRATA_S3_SECRET_ACCESS_KEY.',
  },
  ERRATA_SPOOL_URL: {
    default: 'files in the data directory',
    meaning:
      'A Kafka topic between edge and digest: kafka://host:9092,host:9092/topic?tls=on&sasl=scram-sha-512&partitions=12&replicas=3. See docs/scale.md.',
  },
  ERRATA_KAFKA_USERNAME: { meaning: 'With sasl in ERRATA_SPOOL_URL: the user name.' },
  ERRATA_KAFKA_PASSWORD: { meaning: 'With sasl in ERRATA_SPOOL_URL: the password.' },
  ERRATA_KAFKA_PASSWORD_FILE: {
    meaning: 'A file that contains the password, instead of ERRATA_KAFKA_PASSWORD.',
  },
  ERRATA_KAFKA_CA_FILE: {
    default: 'the authorities of the system',
    meaning: 'With tls=on in ERRATA_SPOOL_URL: a file with the certificate of the authority, in PEM.',
  },
  ERRATA_ADMIN_EMAIL: {
    meaning: 'With ERRATA_ADMIN_PASSWORD: the first start creates the owner, the organization and a project.',
  },
  ERRATA_ADMIN_PASSWORD: {
    meaning:
      '12 characters or more, hard to guess. Used on the first start only; no role has it in its environment.',
  },
  ERRATA_ADMIN_PASSWORD_FILE: {
    meaning:
      'A file that contains the password, instead of ERRATA_ADMIN_PASSWORD, so that it is never in an environment variable.',
  },
  ERRATA_SESSION_IDLE_HOURS_MAX: {
    default: '168',
    meaning: 'Hours after which an unused session expires, 1 to 8760.',
  },
  ERRATA_SESSION_HOURS_MAX: {
    default: '720',
    meaning: 'Hours after which a session expires in any case, 1 to 8760.',
  },
  ERRATA_API_REQUESTS_PER_MINUTE_MAX: {
    default: '6000',
    meaning:
      'Requests to /api/0/ per minute for one user, with all their tokens, or for one organization token, 60 to 1000000.',
  },
  ERRATA_API_CONCURRENT_REQUESTS_MAX: {
    default: '100',
    meaning: 'Concurrent requests to /api/0/ for one user or one organization token, 1 to 1000.',
  },
  ERRATA_SPOOL_BYTES_MAX: {
    default: '2147483648',
    meaning: 'Bytes that can wait between edge and digest; beyond that, SDKs get 503 with Retry-After.',
  },
  ERRATA_CLICKHOUSE_MEMORY_BYTES_MAX: {
    default: '536870912, or 335544320 in the small profile',
    meaning: 'Memory that the embedded ClickHouse can allocate, in bytes.',
  },
  ERRATA_MEMORY_PROFILE: {
    default: 'small below 1.5 GiB of memory, standard otherwise',
    meaning:
      'small or standard: how heaps, caches and pools are sized, and whether roles share a process. See docs/performance.md.',
  },
  ERRATA_DIGEST_THREADS: {
    default: 'one less than the processors, at most 8; 0 with two or fewer, and in the small profile',
    meaning:
      'Threads that process events, in addition to the one that stores them, 0 to 64. With 0, one thread does both. Each takes 50 MB of memory or more.',
  },
  ERRATA_DISK_BYTES_MAX: {
    default: '10 GiB, or 80% of the volume if that is less',
    meaning:
      'Disk space for everything in the data directory, in bytes. Data is dropped before this is exceeded.',
  },
  ERRATA_RETENTION_DAYS: {
    default: '90',
    meaning: 'Days that data is kept, 1 to 3650, unless changed on the storage page.',
  },
  ERRATA_GEOIP_DATABASE: {
    meaning:
      'A City database in MMDB format, for example GeoLite2-City.mmdb, to find the country and city of users by IP address. A newer file is picked up within a minute.',
  },
  ERRATA_TUNNEL_REGIONS: {
    meaning:
      'Regions of the error-reporting tunnel, as comma-separated name=URL pairs: eu=https://errors.example.eu',
  },
  ERRATA_FETCH_SOURCE_MAPS_FROM: {
    meaning:
      'Hosts, comma-separated, to fetch source maps of public scripts from if none were uploaded: cdn.example.com, *.example.com. Empty: nothing is fetched. Private networks are never accessed. See docs/source-maps.md.',
  },
  ERRATA_ALLOW_INSIDE_ADDRESSES: {
    meaning:
      'Private network addresses, ranges and host names, comma-separated, that alert destinations and trackers can use: 10.0.0.0/8, hooks.lan, *.corp.example. Empty: none. See docs/destinations.md.',
  },
  ERRATA_SMTP_URL: {
    meaning:
      'The server that sends mail: smtp://user:password@host:587 (STARTTLS) or smtps://user:password@host:465. Without it, links are shown for you to copy.',
  },
  ERRATA_SMTP_URL_FILE: { meaning: 'A file that contains the URL, instead of ERRATA_SMTP_URL.' },
  ERRATA_MAIL_FROM: {
    meaning: 'With ERRATA_SMTP_URL: the sender of emails, for example Errata <errata@example.com>.',
  },
  ERRATA_OIDC_ISSUER: {
    meaning:
      'Single sign-on: the issuer of an OpenID Connect provider, exactly as in its discovery document. Register <ERRATA_URL>/login/sso/callback there. See docs/accounts.md.',
  },
  ERRATA_OIDC_CLIENT_ID: { meaning: 'With ERRATA_OIDC_ISSUER: the client ID at the provider.' },
  ERRATA_OIDC_CLIENT_SECRET: { meaning: 'With ERRATA_OIDC_ISSUER: the client secret.' },
  ERRATA_OIDC_CLIENT_SECRET_FILE: {
    meaning: 'A file that contains the secret, instead of ERRATA_OIDC_CLIENT_SECRET.',
  },
  ERRATA_OIDC_NAME: {
    default: 'single sign-on',
    meaning: 'The name on the sign-in button: “Continue with <name>”.',
  },
  ERRATA_OIDC_ALLOWED_DOMAINS: {
    meaning: 'Domains of email addresses, comma-separated, that can sign in this way. Empty: any.',
  },
  ERRATA_OIDC_AUTO_JOIN: {
    meaning:
      'organization=role, for example main=member: people from the allowed domains without an account get one. Empty: only people with an account or an invitation can sign in.',
  },
  ERRATA_BACKUP_KEY: {
    meaning:
      'Encrypts backups, and opens them again; 32 characters or more, for example from openssl rand -base64 32. Keep a copy elsewhere: without it a backup is lost. See docs/backup.md.',
  },
  ERRATA_BACKUP_KEY_FILE: {
    meaning: 'A file that contains the key, instead of ERRATA_BACKUP_KEY.',
  },
  ERRATA_UPGRADE_BACKUP: {
    default: 'on',
    meaning:
      'on, off, or the full path of a folder: whether a start backs up existing data before it migrates it, and where. on uses the folder of the backup schedule, otherwise upgrade-backups in the data directory. See docs/upgrade.md.',
  },
  ERRATA_IMPORT_TOKEN: {
    meaning: 'A token of the server that errata import sentry reads. Set it for that command only.',
  },
  ERRATA_SELF_REPORTING: {
    default: 'on',
    meaning: 'on or off: whether Errata reports its own errors to the project errata-self.',
  },
  ERRATA_DRAIN_SECONDS: {
    default: '0',
    meaning:
      'Seconds from SIGTERM until the edge stops accepting, 0 to 300. Meanwhile everything is served, and /health/ready and /health/ingest answer 503, so that a load balancer sends requests elsewhere.',
  },
  ERRATA_STOP_GRACE_SECONDS: {
    default: '6',
    meaning:
      'Seconds that requests and batches in progress have to finish when Errata stops, 2 to 300. With ERRATA_DRAIN_SECONDS, keep the sum below what your service manager waits for.',
  },
  ERRATA_LOG_LEVEL: { default: 'info', meaning: 'fatal, error, warn, info, debug or silent.' },
  ERRATA_FAULT_POINTS: { meaning: 'For fault tests only; see docs/testing.md.' },
};

export const SETTINGS: readonly Setting[] = Object.entries(DESCRIBED).map(([name, setting]) => ({
  name,
  default: '',
  ...setting,
}));
