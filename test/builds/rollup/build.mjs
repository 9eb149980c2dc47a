import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { sentryRollupPlugin } from '@sentry/rollup-plugin';
import { transform } from 'esbuild';
import { rollup } from 'rollup';

const packages = {
  name: 'packages',
  resolveId: (id) => (/^[@a-z]/.test(id) ? fileURLToPath(import.meta.resolve(id)) : null),
};

const minifiedTypeScript = {
  name: 'minified-typescript',
  transform: (code, sourcefile) =>
    transform(code, { loader: 'ts', minify: true, sourcemap: 'external', sourcefile }),
};

const bundle = await rollup({
  input: path.resolve('../shop/main.ts'),
  plugins: [packages, minifiedTypeScript, sentryRollupPlugin({ telemetry: false })],
});
await bundle.write({ dir: 'dist', entryFileNames: 'assets/[name].[hash].js', format: 'es', sourcemap: true });
await bundle.close();
