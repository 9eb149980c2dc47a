import { sentryEsbuildPlugin } from '@sentry/esbuild-plugin';
import { build } from 'esbuild';

await build({
  entryPoints: ['../shop/main.ts'],
  bundle: true,
  minify: true,
  sourcemap: true,
  format: 'esm',
  outdir: 'dist/assets',
  entryNames: '[name].[hash]',
  plugins: [sentryEsbuildPlugin({ telemetry: false })],
});
