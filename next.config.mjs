/** Its word lists are read when a password is set, by no page. */
const PASSWORD_ESTIMATOR = ['@zxcvbn-ts/core', '@zxcvbn-ts/language-common', '@zxcvbn-ts/language-en'];

/** @type {import('next').NextConfig} */
export default {
  poweredByHeader: false,
  reactStrictMode: true,
  // By the sources, so that several machines may build them; without a name the framework makes one up.
  generateBuildId: async () => process.env.BUILD_NAME ?? null,
  // `/api/0/…` answers with and without the trailing slash, and a redirect would lose the body of a PUT.
  skipTrailingSlashRedirect: true,
  // Types are checked by `npm test`, tests included; a clone must start without them.
  typescript: { ignoreBuildErrors: true },
  // Spans of the browser are not recorded, and debug messages of the SDK are read by nobody.
  compiler: { define: { __SENTRY_TRACING__: false, __SENTRY_DEBUG__: false } },
  turbopack: {
    // A lockfile in a folder above must not move the root.
    root: import.meta.dirname,
    // `import … from '….woff2?url'` is the URL that the style sheet names.
    rules: {
      '*.woff2': { condition: { query: '?url' }, type: 'asset' },
      '**/lucide-react/dist/esm/icons/*.mjs': { loaders: ['./src/ui/icons/name-icon.mjs'] },
      '**/lucide-react/dist/esm/createLucideIcon.mjs': { loaders: ['./src/ui/icons/draw-icon.mjs'] },
    },
    // The SDK asks for the router of another kind of pages, which is a fifth of its size.
    resolveAlias: { 'next/router': { browser: './src/app/error-reporting/no-pages-router.ts' } },
  },
  serverExternalPackages: ['pg', 'lmdb', '@clickhouse/client', 'better-auth', ...PASSWORD_ESTIMATOR],
  // Where browsers and password managers look without being told.
  rewrites: async () => [
    { source: '/favicon.ico', destination: '/icon.svg' },
    // With and without the path of the MCP server behind it, as clients look for it.
    {
      source: '/.well-known/oauth-protected-resource/:path(mcp)?',
      destination: '/mcp/oauth/protected-resource',
    },
    { source: '/.well-known/oauth-authorization-server', destination: '/mcp/oauth/authorization-server' },
  ],
  redirects: async () => [
    { source: '/.well-known/change-password', destination: '/account/security', statusCode: 303 },
  ],
  // Until 300 s a page is shown again at once; from 30 s on it is loaded anew behind: src/ui/navigation/limits.ts.
  experimental: {
    staleTimes: { dynamic: 300, static: 300 },
    // A page's code is loaded when somebody opens it: all of it at once would take a fifth of the role's memory.
    preloadEntriesOnStart: false,
    // It pays from the second build on, and costs the first one a fifth of its time and 230 MB.
    turbopackFileSystemCacheForBuild: process.env.KEEP_BUILD_CACHE === '1',
  },
};
