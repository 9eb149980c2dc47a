import { sentryVitePlugin } from '@sentry/vite-plugin';
import { defineConfig } from 'vite';

// Who and where to upload to comes from SENTRY_URL, SENTRY_ORG, SENTRY_PROJECT and SENTRY_AUTH_TOKEN.
export default defineConfig({
  root: '../shop',
  base: './',
  build: { outDir: '../vite/dist', emptyOutDir: true, sourcemap: true },
  plugins: [sentryVitePlugin({ telemetry: false })],
});
