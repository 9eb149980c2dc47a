import { npm, type SnippetStep, type Snippets } from './snippet.ts';

const NODE_START = 'node --import ./instrument.mjs app.mjs';

const nodeInstrument = (dsn: string): SnippetStep => ({
  title: 'Initialize',
  hint: 'Loaded before everything else.',
  file: 'instrument.mjs',
  text: `import * as Sentry from '@sentry/node';

Sentry.init({
  dsn: '${dsn}',
});`,
});

/** JavaScript on servers, and Next.js on both sides. */
export const NODE_SNIPPETS: Snippets = {
  'javascript-nextjs': (dsn) => [
    npm('@sentry/nextjs'),
    {
      title: 'Initialize in the browser',
      hint: 'instrumentation-client.ts, beside your app folder.',
      text: `import * as Sentry from '@sentry/nextjs';

Sentry.init({
  dsn: '${dsn}',
});

export const onRouterTransitionStart = Sentry.captureRouterTransitionStart;`,
    },
    {
      title: 'Initialize on the server',
      hint: 'instrumentation.ts, beside your app folder.',
      text: `import * as Sentry from '@sentry/nextjs';

export function register() {
  Sentry.init({
    dsn: '${dsn}',
  });
}

export const onRequestError = Sentry.captureRequestError;`,
    },
    {
      title: 'Verify',
      hint: 'A page that fails: app/break/page.tsx. Open /break.',
      text: `export const dynamic = 'force-dynamic';

export default function BreakPage() {
  throw new Error('Hello from Next.js');
}`,
    },
  ],
  node: (dsn) => [
    npm('@sentry/node'),
    nodeInstrument(dsn),
    {
      title: 'Write a program that fails',
      hint: 'Later your own program takes its place.',
      file: 'app.mjs',
      text: `setTimeout(() => {
  throw new Error('Hello from Node.js');
}, 100);`,
    },
    {
      title: 'Verify',
      hint: 'Run it: the error is printed here, and shows up in Errata.',
      text: NODE_START,
    },
  ],
  'node-express': (dsn) => [
    npm('@sentry/node express'),
    nodeInstrument(dsn),
    {
      title: 'Report what routes throw',
      hint: 'The error handler stands after all routes.',
      file: 'app.mjs',
      text: `import * as Sentry from '@sentry/node';
import express from 'express';

const app = express();

app.get('/break', () => {
  throw new Error('Hello from Express');
});

Sentry.setupExpressErrorHandler(app);

app.listen(3000);`,
    },
    { title: 'Verify', hint: 'Start it, then open http://localhost:3000/break.', text: NODE_START },
  ],
};
