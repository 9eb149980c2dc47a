import { CLI_MAPS, NEXTJS_MAPS, VITE_MAPS } from './readable-traces.ts';
import { type Guides, npm, type SnippetStep, verify } from './snippet.ts';

const init = (sdk: string, dsn: string): string => `import * as Sentry from '${sdk}';

Sentry.init({
  dsn: '${dsn}',
});`;

const verifyInLoader = (name: string, file: string): SnippetStep => ({
  ...verify(
    `export async function loader() {
  throw new Error('Hello from ${name}');
}`,
    'Create this route, start the app, and open /break.',
  ),
  file,
});

/** Frameworks that run in browsers and on servers. */
export const FULL_STACK_GUIDES: Guides = {
  'javascript-nextjs': {
    docs: 'javascript/guides/nextjs/',
    traces: NEXTJS_MAPS,
    steps: (dsn) => [
      npm('@sentry/nextjs', 'Put the next two files beside your app folder: in the project root, or in src.'),
      {
        title: 'Initialize in the browser',
        file: 'instrumentation-client.ts',
        text: `${init('@sentry/nextjs', dsn)}

export const onRouterTransitionStart = Sentry.captureRouterTransitionStart;`,
      },
      {
        title: 'Initialize on the server',
        file: 'instrumentation.ts',
        text: `import * as Sentry from '@sentry/nextjs';

export function register() {
  Sentry.init({
    dsn: '${dsn}',
  });
}

export const onRequestError = Sentry.captureRequestError;`,
      },
      {
        ...verify(
          `import { connection } from 'next/server';

export async function GET() {
  // Runs for each request, not during the build.
  await connection();
  throw new Error('Hello from Next.js');
}`,
          'Create this route, start the app, and open /break.',
        ),
        file: 'app/break/route.ts',
      },
    ],
  },
  'javascript-nuxt': {
    docs: 'javascript/guides/nuxt/',
    traces: CLI_MAPS,
    steps: (dsn) => [
      npm('@sentry/nuxt'),
      {
        title: 'Add the module',
        into: 'nuxt.config.ts',
        text: `export default defineNuxtConfig({
  modules: ['@sentry/nuxt/module'],
  sourcemap: { client: 'hidden' },
});`,
      },
      {
        title: 'Initialize in the browser',
        file: 'sentry.client.config.ts',
        text: init('@sentry/nuxt', dsn),
      },
      {
        title: 'Initialize on the server',
        hint: 'Start the built server with node --import ./.output/server/sentry.server.config.mjs .output/server/index.mjs',
        file: 'sentry.server.config.ts',
        text: init('@sentry/nuxt', dsn),
      },
      {
        ...verify(
          `export default defineEventHandler(() => {
  throw new Error('Hello from Nuxt');
});`,
          'Create this route, start the built server, and open /api/break.',
        ),
        file: 'server/api/break.get.ts',
      },
    ],
  },
  'javascript-sveltekit': {
    docs: 'javascript/guides/sveltekit/',
    traces: VITE_MAPS,
    steps: (dsn) => [
      npm('@sentry/sveltekit'),
      {
        title: 'Initialize in the browser',
        file: 'src/hooks.client.ts',
        text: `${init('@sentry/sveltekit', dsn)}

export const handleError = Sentry.handleErrorWithSentry();`,
      },
      {
        title: 'Initialize on the server',
        hint: 'Add Sentry.sentryHandle() to a sequence() if you already have a handle hook.',
        file: 'src/hooks.server.ts',
        text: `${init('@sentry/sveltekit', dsn)}

export const handle = Sentry.sentryHandle();
export const handleError = Sentry.handleErrorWithSentry();`,
      },
      {
        ...verify(
          `export function load() {
  throw new Error('Hello from SvelteKit');
}`,
          'Create this route with an empty +page.svelte beside it, start the app, and open /break.',
        ),
        file: 'src/routes/break/+page.server.ts',
      },
    ],
  },
  'javascript-astro': {
    docs: 'javascript/guides/astro/',
    traces: VITE_MAPS,
    steps: (dsn) => [
      npm('@sentry/astro'),
      {
        title: 'Add the integration',
        into: 'astro.config.mjs',
        text: `import sentry from '@sentry/astro';
import { defineConfig } from 'astro/config';

export default defineConfig({
  integrations: [sentry()],
});`,
      },
      {
        title: 'Initialize in the browser',
        hint: 'The integration finds this file in the project root.',
        file: 'sentry.client.config.js',
        text: init('@sentry/astro', dsn),
      },
      {
        title: 'Initialize on the server',
        hint: 'Needed for pages that are rendered on request.',
        file: 'sentry.server.config.js',
        text: init('@sentry/astro', dsn),
      },
      {
        ...verify(
          `<button id="break">Break the world</button>
<script>
  document.getElementById('break').onclick = () => {
    throw new Error('Hello from Astro');
  };
</script>`,
          'Create this page, open /break, and click the button.',
        ),
        file: 'src/pages/break.astro',
      },
    ],
  },
  'javascript-react-router': {
    docs: 'javascript/guides/react-router/',
    traces: VITE_MAPS,
    steps: (dsn) => [
      npm('@sentry/react-router'),
      { title: 'Show the entry files', text: 'npx react-router reveal' },
      {
        title: 'Initialize in the browser',
        hint: 'Add the init above hydrateRoot, and onError to the router.',
        into: 'app/entry.client.tsx',
        text: `${init('@sentry/react-router', dsn)}

// In hydrateRoot:
<HydratedRouter onError={Sentry.sentryOnError} />`,
      },
      {
        title: 'Initialize on the server',
        file: 'instrument.server.mjs',
        text: init('@sentry/react-router', dsn),
      },
      {
        title: 'Capture server errors',
        hint: 'The first import has to stay at the top.',
        into: 'app/entry.server.tsx',
        text: `import '../instrument.server.mjs';
import * as Sentry from '@sentry/react-router';

export const handleError = Sentry.createSentryHandleError({ logErrors: true });`,
      },
      verifyInLoader('React Router', 'app/routes/break.tsx'),
    ],
  },
  'javascript-remix': {
    docs: 'javascript/guides/remix/',
    traces: VITE_MAPS,
    steps: (dsn) => [
      npm('@sentry/remix'),
      { title: 'Show the entry files', text: 'npx remix reveal' },
      {
        title: 'Initialize in the browser',
        hint: 'Add this above hydrateRoot.',
        into: 'app/entry.client.tsx',
        text: init('@sentry/remix', dsn),
      },
      {
        title: 'Initialize on the server',
        hint: 'Start the server with NODE_OPTIONS="--import ./instrument.server.mjs".',
        file: 'instrument.server.mjs',
        text: init('@sentry/remix', dsn),
      },
      {
        title: 'Capture server errors',
        into: 'app/entry.server.tsx',
        text: `import * as Sentry from '@sentry/remix';

export const handleError = Sentry.sentryHandleError;`,
      },
      verifyInLoader('Remix', 'app/routes/break.tsx'),
    ],
  },
  'javascript-solidstart': {
    docs: 'javascript/guides/solidstart/',
    traces: VITE_MAPS,
    steps: (dsn) => [
      npm('@sentry/solidstart'),
      {
        title: 'Configure the build',
        file: 'app.config.ts',
        text: `import { withSentry } from '@sentry/solidstart';
import { defineConfig } from '@solidjs/start/config';

export default defineConfig(withSentry({}));`,
      },
      {
        title: 'Initialize in the browser',
        hint: 'Add this above mount.',
        into: 'src/entry-client.tsx',
        text: init('@sentry/solidstart', dsn),
      },
      {
        title: 'Initialize on the server',
        hint: 'Start the server with NODE_OPTIONS="--import ./.output/server/instrument.server.mjs".',
        file: 'src/instrument.server.ts',
        text: init('@sentry/solidstart', dsn),
      },
      {
        ...verify(
          `export function GET() {
  throw new Error('Hello from SolidStart');
}`,
          'Create this route, start the app, and open /api/break.',
        ),
        file: 'src/routes/api/break.ts',
      },
    ],
  },
  'javascript-tanstackstart-react': {
    docs: 'javascript/guides/tanstackstart-react/',
    traces: VITE_MAPS,
    steps: (dsn) => [
      npm('@sentry/tanstackstart-react'),
      {
        title: 'Initialize in the browser',
        hint: 'Initialize after the router was created, and only in the browser.',
        into: 'src/router.tsx',
        text: `import * as Sentry from '@sentry/tanstackstart-react';

if (!router.isServer) {
  Sentry.init({
    dsn: '${dsn}',
  });
}`,
      },
      {
        title: 'Initialize on the server',
        hint: 'Start the server with NODE_OPTIONS="--import ./instrument.server.mjs".',
        file: 'instrument.server.mjs',
        text: init('@sentry/tanstackstart-react', dsn),
      },
      {
        title: 'Capture server errors',
        file: 'src/server.ts',
        text: `import { wrapFetchWithSentry } from '@sentry/tanstackstart-react';
import handler, { createServerEntry } from '@tanstack/react-start/server-entry';

export default createServerEntry(
  wrapFetchWithSentry({
    fetch: (request: Request) => handler.fetch(request),
  }),
);`,
      },
      verify(
        `<button
  onClick={() => {
    throw new Error('Hello from TanStack Start');
  }}
>
  Break the world
</button>`,
        'Add this to a route, and click the button.',
      ),
    ],
  },
  'javascript-gatsby': {
    docs: 'javascript/guides/gatsby/',
    traces: CLI_MAPS,
    steps: (dsn) => [
      npm('@sentry/gatsby'),
      {
        title: 'Add the plugin',
        into: 'gatsby-config.js',
        text: `module.exports = {
  plugins: [{ resolve: '@sentry/gatsby', options: { enableClientWebpackPlugin: false } }],
};`,
      },
      {
        title: 'Initialize',
        hint: 'The plugin finds this file in the project root.',
        file: 'sentry.config.js',
        text: init('@sentry/gatsby', dsn),
      },
      {
        ...verify(
          `export default function BreakPage() {
  return <button onClick={() => { throw new Error('Hello from Gatsby'); }}>Break the world</button>;
}`,
          'Create this page, start the app, open /break, and click the button.',
        ),
        file: 'src/pages/break.js',
      },
    ],
  },
};
