type UploadStep = { title: string; hint?: string; text: string };

export const UPLOAD_TOOLS = [
  { id: 'vite', label: 'Vite' },
  { id: 'nextjs', label: 'Next.js' },
  { id: 'webpack', label: 'webpack' },
  { id: 'rollup', label: 'Rollup' },
  { id: 'esbuild', label: 'esbuild' },
  { id: 'cli', label: 'sentry-cli' },
  { id: 'release', label: 'Without debug IDs' },
  { id: 'proguard', label: 'Android' },
  { id: 'native', label: 'Native' },
] as const;
type UploadTool = (typeof UPLOAD_TOOLS)[number]['id'];

type UploadTarget = { url: string; organizationSlug: string; projectSlug: string };

/** What the build needs to have before, whatever the tool is. */
export const tokenStep: UploadStep = {
  title: 'Set an auth token',
  hint: 'Create it under Auth tokens. Store it as a secret in your pipeline, never in the repository.',
  text: 'export SENTRY_AUTH_TOKEN=sntrys_…',
};

/**
 * What to install, write and run for a tool. The tools are Sentry's own.
 * Source: https://docs.sentry.io/platforms/javascript/sourcemaps/uploading/
 */
export function uploadSteps(tool: UploadTool, target: UploadTarget): readonly UploadStep[] {
  return STEPS[tool](target);
}

const install = (name: string): UploadStep => ({ title: 'Install', text: `npm install --save-dev ${name}` });

const build = (text: string): UploadStep => ({
  title: 'Build',
  hint: 'Source maps are uploaded at the end of the build. Deploy the output of this build: other builds have different debug IDs.',
  text,
});

/** The options that all plugins have in common, as code. */
const options = ({ url, organizationSlug, projectSlug }: UploadTarget, indent: string): string =>
  [
    `url: '${url}',`,
    `org: '${organizationSlug}',`,
    `project: '${projectSlug}',`,
    'authToken: process.env.SENTRY_AUTH_TOKEN,',
  ]
    .map((line) => `${indent}${line}`)
    .join('\n');

const environment = ({ url, organizationSlug, projectSlug }: UploadTarget): UploadStep => ({
  title: 'Set the destination',
  text: `export SENTRY_URL=${url}
export SENTRY_ORG=${organizationSlug}
export SENTRY_PROJECT=${projectSlug}`,
});

const STEPS: Readonly<Record<UploadTool, (target: UploadTarget) => readonly UploadStep[]>> = {
  vite: (target) => [
    install('@sentry/vite-plugin'),
    {
      title: 'Configure',
      hint: 'In vite.config.ts. Add the plugin after all others.',
      text: `import { sentryVitePlugin } from '@sentry/vite-plugin';
import { defineConfig } from 'vite';

export default defineConfig({
  build: { sourcemap: 'hidden' },
  plugins: [
    sentryVitePlugin({
${options(target, '      ')}
    }),
  ],
});`,
    },
    build('npx vite build'),
  ],
  nextjs: (target) => [
    {
      title: 'Configure',
      hint: 'In next.config.ts. @sentry/nextjs includes the upload. Before version 11, import from @sentry/nextjs.',
      text: `import { withSentryConfig } from '@sentry/nextjs/config';
import type { NextConfig } from 'next';

const nextConfig: NextConfig = {};

export default withSentryConfig(nextConfig, {
${options(target, '  ').replace('url:', 'sentryUrl:')}
});`,
    },
    build('npx next build'),
  ],
  webpack: (target) => [
    install('@sentry/webpack-plugin'),
    {
      title: 'Configure',
      hint: 'In webpack.config.js.',
      text: `const { sentryWebpackPlugin } = require('@sentry/webpack-plugin');

module.exports = {
  devtool: 'hidden-source-map',
  plugins: [
    sentryWebpackPlugin({
${options(target, '      ')}
    }),
  ],
};`,
    },
    build('npx webpack --mode production'),
  ],
  rollup: (target) => [
    install('@sentry/rollup-plugin'),
    {
      title: 'Configure',
      hint: 'In rollup.config.js. Add the plugin after all others.',
      text: `import { sentryRollupPlugin } from '@sentry/rollup-plugin';

export default {
  output: { dir: 'dist', sourcemap: 'hidden' },
  plugins: [
    sentryRollupPlugin({
${options(target, '      ')}
    }),
  ],
};`,
    },
    build('npx rollup --config'),
  ],
  esbuild: (target) => [
    install('@sentry/esbuild-plugin'),
    {
      title: 'Configure',
      hint: 'In your build script, such as build.mjs.',
      text: `import { sentryEsbuildPlugin } from '@sentry/esbuild-plugin';
import { build } from 'esbuild';

await build({
  entryPoints: ['src/main.ts'],
  outdir: 'dist',
  bundle: true,
  minify: true,
  sourcemap: true,
  plugins: [
    sentryEsbuildPlugin({
${options(target, '      ')}
    }),
  ],
});`,
    },
    build('node build.mjs'),
  ],
  cli: (target) => [
    install('@sentry/cli'),
    environment(target),
    {
      title: 'Upload',
      hint: 'Run this after the build and before you deploy: inject writes the debug IDs into the files to be deployed.',
      text: `npx sentry-cli sourcemaps inject ./dist
npx sentry-cli sourcemaps upload ./dist`,
    },
  ],
  release: (target) => [
    install('@sentry/cli'),
    environment(target),
    {
      title: 'Upload',
      hint: 'For files that cannot be modified. The release must match the one set in the SDK, and the prefix is the path that the scripts are served from.',
      text: `npx sentry-cli sourcemaps upload --release web@1.0.0 --url-prefix '~/assets' ./dist/assets`,
    },
  ],
  proguard: (target) => [
    install('@sentry/cli'),
    environment(target),
    {
      title: 'Upload',
      hint: 'The SDK’s Android Gradle plugin does this automatically once url, org, project and the token are set.',
      text: 'npx sentry-cli upload-proguard app/build/outputs/mapping/release/mapping.txt',
    },
  ],
  native: (target) => [
    install('@sentry/cli'),
    environment(target),
    {
      title: 'Convert',
      hint: 'Symbol files are text in Breakpad’s format. Run dump_syms on the unstripped program or library, its .dSYM or .pdb: cargo install dump_syms.',
      text: 'dump_syms --store ./symbols ./build/shop',
    },
    {
      title: 'Upload',
      hint: 'The SDK sends the build IDs of all loaded images with every crash. Binary files in the folder are rejected one by one.',
      text: 'npx sentry-cli debug-files upload ./symbols',
    },
  ],
};
