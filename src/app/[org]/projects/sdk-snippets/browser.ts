import { CLI_MAPS, VITE_MAPS, WEBPACK_MAPS } from './readable-traces.ts';
import { type Guides, install, npm, type SnippetStep, verify } from './snippet.ts';

const throwOnClick: SnippetStep = verify(
  `const button = document.createElement('button');
button.textContent = 'Break the world';
button.onclick = () => {
  throw new Error('Hello from the browser');
};
document.body.append(button);`,
  'Add a button that throws an error, and click it.',
);

const verifyInJsx = (name: string, attribute: string): SnippetStep =>
  verify(
    `<button
  ${attribute}={() => {
    throw new Error('Hello from ${name}');
  }}
>
  Break the world
</button>`,
    'Add this to a component, and click the button.',
  );

/** JavaScript that runs in browsers only. */
export const BROWSER_GUIDES: Guides = {
  javascript: {
    docs: 'javascript/',
    traces: VITE_MAPS,
    steps: (dsn) => [
      npm('@sentry/browser'),
      {
        title: 'Initialize',
        hint: 'Initialize before other code on the page. The import requires a bundler such as Vite or webpack.',
        into: 'main.js',
        text: `import * as Sentry from '@sentry/browser';

Sentry.init({
  dsn: '${dsn}',
});`,
      },
      throwOnClick,
    ],
  },
  'javascript-react': {
    docs: 'javascript/guides/react/',
    traces: VITE_MAPS,
    steps: (dsn) => [
      npm('@sentry/react'),
      {
        title: 'Initialize',
        hint: 'With React 19, pass the error handlers to the root. Before React 19, wrap your app in Sentry.ErrorBoundary instead.',
        into: 'main.jsx',
        text: `import * as Sentry from '@sentry/react';
import { createRoot } from 'react-dom/client';
import App from './App';

Sentry.init({
  dsn: '${dsn}',
});

createRoot(document.getElementById('root'), {
  onUncaughtError: Sentry.reactErrorHandler(),
  onCaughtError: Sentry.reactErrorHandler(),
  onRecoverableError: Sentry.reactErrorHandler(),
}).render(<App />);`,
      },
      verifyInJsx('React', 'onClick'),
    ],
  },
  'javascript-vue': {
    docs: 'javascript/guides/vue/',
    traces: VITE_MAPS,
    steps: (dsn) => [
      npm('@sentry/vue'),
      {
        title: 'Initialize',
        into: 'main.js',
        text: `import * as Sentry from '@sentry/vue';
import { createApp } from 'vue';
import App from './App.vue';

const app = createApp(App);

Sentry.init({
  app,
  dsn: '${dsn}',
});

app.mount('#app');`,
      },
      verify(
        `<script setup>
function breakTheWorld() {
  throw new Error('Hello from Vue');
}
</script>

<template>
  <button @click="breakTheWorld">Break the world</button>
</template>`,
        'Add this to a component, and click the button.',
      ),
    ],
  },
  'javascript-angular': {
    docs: 'javascript/guides/angular/',
    traces: CLI_MAPS,
    steps: (dsn) => [
      npm('@sentry/angular'),
      {
        title: 'Initialize',
        hint: 'Initialize before bootstrapApplication.',
        into: 'src/main.ts',
        text: `import * as Sentry from '@sentry/angular';

Sentry.init({
  dsn: '${dsn}',
});`,
      },
      {
        title: 'Capture component errors',
        into: 'src/app/app.config.ts',
        text: `import { ApplicationConfig, ErrorHandler } from '@angular/core';
import * as Sentry from '@sentry/angular';

export const appConfig: ApplicationConfig = {
  providers: [{ provide: ErrorHandler, useValue: Sentry.createErrorHandler() }],
};`,
      },
      verify(
        `<button (click)="breakTheWorld()">Break the world</button>`,
        'Add this to a template, have breakTheWorld() throw an error, and click the button.',
      ),
    ],
  },
  'javascript-svelte': {
    docs: 'javascript/guides/svelte/',
    traces: VITE_MAPS,
    steps: (dsn) => [
      npm('@sentry/svelte'),
      {
        title: 'Initialize',
        hint: 'Initialize before the app is mounted.',
        into: 'src/main.js',
        text: `import * as Sentry from '@sentry/svelte';
import { mount } from 'svelte';
import App from './App.svelte';

Sentry.init({
  dsn: '${dsn}',
});

mount(App, { target: document.getElementById('app') });`,
      },
      throwOnClick,
    ],
  },
  'javascript-solid': {
    docs: 'javascript/guides/solid/',
    traces: VITE_MAPS,
    steps: (dsn) => [
      npm('@sentry/solid'),
      {
        title: 'Initialize',
        hint: 'Errors that an ErrorBoundary shows are captured only if it is the wrapped one.',
        into: 'src/index.jsx',
        text: `import * as Sentry from '@sentry/solid';
import { ErrorBoundary } from 'solid-js';
import { render } from 'solid-js/web';
import App from './App';

Sentry.init({
  dsn: '${dsn}',
});

const SentryErrorBoundary = Sentry.withSentryErrorBoundary(ErrorBoundary);

render(
  () => (
    <SentryErrorBoundary fallback={<p>Something went wrong.</p>}>
      <App />
    </SentryErrorBoundary>
  ),
  document.getElementById('root'),
);`,
      },
      verifyInJsx('Solid', 'onClick'),
    ],
  },
  'javascript-ember': {
    docs: 'javascript/guides/ember/',
    traces: CLI_MAPS,
    steps: (dsn) => [
      install('npx ember install @sentry/ember'),
      {
        title: 'Initialize',
        hint: 'Initialize above the class of the application.',
        into: 'app/app.js',
        text: `import * as Sentry from '@sentry/ember';

Sentry.init({
  dsn: '${dsn}',
});`,
      },
      throwOnClick,
    ],
  },
  electron: {
    docs: 'javascript/guides/electron/',
    traces: WEBPACK_MAPS,
    steps: (dsn) => [
      npm('@sentry/electron'),
      {
        title: 'Initialize in the main process',
        hint: 'Initialize before other code. Native crashes are captured as well.',
        into: 'main.js',
        text: `import * as Sentry from '@sentry/electron/main';

Sentry.init({
  dsn: '${dsn}',
});`,
      },
      {
        title: 'Initialize in each renderer',
        hint: 'Events are sent through the main process, so the renderer needs no DSN.',
        into: 'renderer.js',
        text: `import * as Sentry from '@sentry/electron/renderer';

Sentry.init();`,
      },
      throwOnClick,
    ],
  },
};
