import { MAPS_OF_BUNDLES } from './readable-traces.ts';
import { type Guide, type Guides, npm, type SnippetStep, startAndOpen, verify } from './snippet.ts';

const NODE_START = 'node --import ./instrument.mjs app.mjs';

const nodeInstrument = (dsn: string): SnippetStep => ({
  title: 'Initialize',
  hint: 'Load this file before everything else.',
  file: 'instrument.mjs',
  text: `import * as Sentry from '@sentry/node';

Sentry.init({
  dsn: '${dsn}',
});`,
});

/** A framework on Node.js: `app` is a server on port 3000 with a route /break that fails. */
const nodeFramework = (docs: string, name: string, app: string, hint?: string): Guide => ({
  docs: `javascript/guides/${docs}/`,
  traces: MAPS_OF_BUNDLES,
  steps: (dsn) => [
    npm(`@sentry/node ${name}`),
    nodeInstrument(dsn),
    { title: 'Capture route errors', hint, file: 'app.mjs', text: app },
    startAndOpen(NODE_START, 'http://localhost:3000/break'),
  ],
});

/** JavaScript on servers. */
export const NODE_GUIDES: Guides = {
  node: {
    docs: 'javascript/guides/node/',
    traces: MAPS_OF_BUNDLES,
    steps: (dsn) => [
      npm('@sentry/node'),
      nodeInstrument(dsn),
      {
        title: 'Create a test program',
        hint: 'Replace it with your own program later.',
        file: 'app.mjs',
        text: `setTimeout(() => {
  throw new Error('Hello from Node.js');
}, 100);`,
      },
      verify(NODE_START, 'Run the program. The error is printed here and appears in Errata.'),
    ],
  },
  'node-express': nodeFramework(
    'express',
    'express',
    `import * as Sentry from '@sentry/node';
import express from 'express';

const app = express();

app.get('/break', () => {
  throw new Error('Hello from Express');
});

Sentry.setupExpressErrorHandler(app);

app.listen(3000);`,
    'Add the error handler after all routes.',
  ),
  'node-fastify': nodeFramework(
    'fastify',
    'fastify',
    `import * as Sentry from '@sentry/node';
import Fastify from 'fastify';

const app = Fastify();

Sentry.setupFastifyErrorHandler(app);

app.get('/break', async () => {
  throw new Error('Hello from Fastify');
});

await app.listen({ port: 3000 });`,
    'Add the error handler before the routes.',
  ),
  'node-koa': nodeFramework(
    'koa',
    'koa',
    `import * as Sentry from '@sentry/node';
import Koa from 'koa';

const app = new Koa();

Sentry.setupKoaErrorHandler(app);

app.use(({ path }) => {
  if (path === '/break') throw new Error('Hello from Koa');
});

app.listen(3000);`,
    'Add the error handler before other middleware.',
  ),
  'node-hapi': nodeFramework(
    'hapi',
    '@hapi/hapi',
    `import Hapi from '@hapi/hapi';
import * as Sentry from '@sentry/node';

const server = Hapi.server({ port: 3000 });

await Sentry.setupHapiErrorHandler(server);

server.route({
  method: 'GET',
  path: '/break',
  handler: () => {
    throw new Error('Hello from Hapi');
  },
});

await server.start();`,
  ),
  'node-hono': nodeFramework(
    'hono',
    'hono @hono/node-server',
    `import { serve } from '@hono/node-server';
import * as Sentry from '@sentry/node';
import { Hono } from 'hono';

const app = new Hono();

app.get('/break', () => {
  throw new Error('Hello from Hono');
});

app.onError((error, context) => {
  Sentry.captureException(error);
  return context.text('Internal server error', 500);
});

serve({ fetch: app.fetch, port: 3000 });`,
  ),
  'node-nestjs': {
    docs: 'javascript/guides/nestjs/',
    traces: MAPS_OF_BUNDLES,
    steps: (dsn) => [
      npm('@sentry/nestjs'),
      {
        title: 'Initialize',
        file: 'src/instrument.ts',
        text: `import * as Sentry from '@sentry/nestjs';

Sentry.init({
  dsn: '${dsn}',
});`,
      },
      {
        title: 'Load it first',
        hint: 'Add this above all other imports.',
        into: 'src/main.ts',
        text: `import './instrument';`,
      },
      {
        title: 'Capture unhandled errors',
        hint: 'Keep your other modules and providers. The filter goes before other exception filters.',
        into: 'src/app.module.ts',
        text: `import { Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { SentryGlobalFilter, SentryModule } from '@sentry/nestjs/setup';

@Module({
  imports: [SentryModule.forRoot()],
  providers: [{ provide: APP_FILTER, useClass: SentryGlobalFilter }],
})
export class AppModule {}`,
      },
      verify(
        `@Get('break')
breakTheWorld() {
  throw new Error('Hello from NestJS');
}`,
        'Add this to a controller, start the app, and open http://localhost:3000/break.',
      ),
    ],
  },
  bun: {
    docs: 'javascript/guides/bun/',
    traces: MAPS_OF_BUNDLES,
    steps: (dsn) => [
      { title: 'Install', text: 'bun add @sentry/bun' },
      {
        title: 'Initialize',
        hint: 'Load this file before everything else.',
        file: 'instrument.ts',
        text: `import * as Sentry from '@sentry/bun';

Sentry.init({
  dsn: '${dsn}',
});`,
      },
      {
        title: 'Create a test program',
        file: 'app.ts',
        text: `setTimeout(() => {
  throw new Error('Hello from Bun');
}, 100);`,
      },
      verify('bun --preload ./instrument.ts app.ts'),
    ],
  },
  deno: {
    docs: 'javascript/guides/deno/',
    traces: MAPS_OF_BUNDLES,
    steps: (dsn) => [
      { title: 'Install', text: 'deno add npm:@sentry/deno' },
      {
        title: 'Initialize',
        file: 'main.ts',
        text: `import * as Sentry from '@sentry/deno';

Sentry.init({
  dsn: '${dsn}',
});

setTimeout(() => {
  throw new Error('Hello from Deno');
}, 100);`,
      },
      verify('deno run --allow-net --allow-read --allow-env --allow-sys main.ts'),
    ],
  },
};
