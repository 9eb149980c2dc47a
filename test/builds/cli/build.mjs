import { build } from 'esbuild';

// No plugin: the files are uploaded by sentry-cli afterwards.
await build({
  entryPoints: ['../shop/main.ts'],
  bundle: true,
  minify: true,
  sourcemap: true,
  format: 'esm',
  outdir: 'dist/assets',
});
