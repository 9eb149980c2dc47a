/** @type {import('next').NextConfig} */
export default {
  poweredByHeader: false,
  reactStrictMode: true,
  // `/api/0/…` answers with and without the trailing slash, and a redirect would lose the body of a PUT.
  skipTrailingSlashRedirect: true,
  // Types are checked by `npm test`, tests included; a clone must start without them.
  typescript: { ignoreBuildErrors: true },
  // A lockfile in a folder above must not move the root.
  turbopack: { root: import.meta.dirname },
  serverExternalPackages: ['pg', 'lmdb', '@clickhouse/client', 'better-auth'],
  experimental: { staleTimes: { dynamic: 30, static: 300 } },
};
