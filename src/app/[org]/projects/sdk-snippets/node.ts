import { npm, type SnippetStep, type Snippets } from './snippet.ts';

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

/** JavaScript on servers, and Next.js on both sides. */
export const NODE_SNIPPETS: Snippets = {
  'javascript-nextjs': (dsn) => [
    npm('@sentry/nextjs'),
    {
      title: 'Initialize in the browser',
      hint: 'Create instrumentation-client.ts next to your app folder.',
      text: `import * as Sentry from '@sentry/nextjs';

Sentry.init({
  dsn: '${dsn}',
});

export const onRouterTransitionStart = Sentry.captureRouterTransitionStart;`,
    },
    {
      title: 'Initialize on the server',
      hint: 'Create instrumentation.ts next to your app folder.',
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
      hint: 'Create app/break/page.tsx, a page that throws an error, and open /break.',
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
      title: 'Create a test program',
      hint: 'Replace it with your own program later.',
      file: 'app.mjs',
      text: `setTimeout(() => {
  throw new Error('Hello from Node.js');
}, 100);`,
    },
    {
      title: 'Verify',
      hint: 'Run the program. The error is printed here and appears in Errata.',
      text: NODE_START,
    },
  ],
  'node-express': (dsn) => [
    npm('@sentry/node express'),
    nodeInstrument(dsn),
    {
      title: 'Capture route errors',
      hint: 'Add the error handler after all routes.',
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
    { title: 'Verify', hint: 'Start the app, then open http://localhost:3000/break.', text: NODE_START },
  ],
};
