import { npm, type SnippetStep, type Snippets } from './snippet.ts';

const browser = (name: string, rest: (dsn: string) => SnippetStep[]) => (dsn: string) => [
  npm(name),
  ...rest(dsn),
];

const throwOnClick: SnippetStep = {
  title: 'Verify',
  hint: 'Throw an error on the page, for example from a button.',
  text: `const button = document.createElement('button');
button.textContent = 'Break the world';
button.onclick = () => {
  throw new Error('Hello from the browser');
};
document.body.append(button);`,
};

export const BROWSER_SNIPPETS: Snippets = {
  javascript: browser('@sentry/browser', (dsn) => [
    {
      title: 'Initialize',
      hint: 'Initialize as early as possible, before other code on the page. The import requires a bundler such as Vite or webpack.',
      text: `import * as Sentry from '@sentry/browser';

Sentry.init({
  dsn: '${dsn}',
});`,
    },
    throwOnClick,
  ]),
  'javascript-react': browser('@sentry/react', (dsn) => [
    {
      title: 'Initialize',
      hint: 'Add this to a file that the entry point imports first. With React 19, pass the error handlers to the root.',
      text: `import * as Sentry from '@sentry/react';
import { createRoot } from 'react-dom/client';

Sentry.init({
  dsn: '${dsn}',
});

createRoot(document.getElementById('root'), {
  onUncaughtError: Sentry.reactErrorHandler(),
  onCaughtError: Sentry.reactErrorHandler(),
  onRecoverableError: Sentry.reactErrorHandler(),
}).render(<App />);`,
    },
    {
      title: 'Verify',
      text: `<button
  onClick={() => {
    throw new Error('Hello from React');
  }}
>
  Break the world
</button>`,
    },
  ]),
  'javascript-vue': browser('@sentry/vue', (dsn) => [
    {
      title: 'Initialize',
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
    {
      title: 'Verify',
      text: `<script setup>
function breakTheWorld() {
  throw new Error('Hello from Vue');
}
</script>

<template>
  <button @click="breakTheWorld">Break the world</button>
</template>`,
    },
  ]),
  'javascript-angular': browser('@sentry/angular', (dsn) => [
    {
      title: 'Initialize',
      hint: 'Add this to main.ts, before bootstrapApplication.',
      text: `import * as Sentry from '@sentry/angular';

Sentry.init({
  dsn: '${dsn}',
});`,
    },
    {
      title: 'Capture component errors',
      hint: 'Add this to app.config.ts.',
      text: `import { ApplicationConfig, ErrorHandler } from '@angular/core';
import * as Sentry from '@sentry/angular';

const appConfig: ApplicationConfig = {
  providers: [{ provide: ErrorHandler, useValue: Sentry.createErrorHandler() }],
};`,
    },
    { title: 'Verify', text: `throw new Error('Hello from Angular');` },
  ]),
  'javascript-svelte': browser('@sentry/svelte', (dsn) => [
    {
      title: 'Initialize',
      hint: 'Add this to main.js, before the app is mounted.',
      text: `import * as Sentry from '@sentry/svelte';
import { mount } from 'svelte';
import App from './App.svelte';

Sentry.init({
  dsn: '${dsn}',
});

mount(App, { target: document.getElementById('app') });`,
    },
    throwOnClick,
  ]),
};
