import { type Guides, install, verify } from './snippet.ts';

export const PHP_GUIDES: Guides = {
  php: {
    docs: 'php/',
    traces: null,
    steps: (dsn) => [
      install('composer require sentry/sentry'),
      {
        title: 'Initialize',
        hint: 'Initialize as early as possible. The last line throws a test error. Remove it after you see the error in Errata.',
        file: 'app.php',
        text: `<?php

require 'vendor/autoload.php';

\\Sentry\\init([
    'dsn' => '${dsn}',
]);

throw new \\Exception('Hello from PHP');`,
      },
      verify('php app.php'),
    ],
  },
  'php-laravel': {
    docs: 'php/guides/laravel/',
    traces: null,
    steps: (dsn) => [
      install('composer require sentry/sentry-laravel'),
      {
        title: 'Capture unhandled exceptions',
        hint: 'Add the import to the top of the file, and the call to the chain that configures the application.',
        into: 'bootstrap/app.php',
        text: `use Sentry\\Laravel\\Integration;

->withExceptions(function (Exceptions $exceptions) {
    Integration::handles($exceptions);
})`,
      },
      { title: 'Initialize', text: `php artisan sentry:publish --dsn=${dsn}` },
      verify('php artisan sentry:test'),
    ],
  },
  'php-symfony': {
    docs: 'php/guides/symfony/',
    traces: null,
    steps: (dsn) => [
      install('composer require sentry/sentry-symfony'),
      { title: 'Initialize', into: '.env', text: `SENTRY_DSN="${dsn}"` },
      verify('php bin/console sentry:test'),
    ],
  },
};
