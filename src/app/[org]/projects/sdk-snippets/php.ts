import type { Snippets } from './snippet.ts';

export const PHP_SNIPPETS: Snippets = {
  php: (dsn) => [
    { title: 'Install', text: 'composer require sentry/sentry' },
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
    { title: 'Verify', text: 'php app.php' },
  ],
  'php-laravel': (dsn) => [
    { title: 'Install', text: 'composer require sentry/sentry-laravel' },
    {
      title: 'Capture unhandled exceptions',
      hint: 'Add this to bootstrap/app.php.',
      text: `use Sentry\\Laravel\\Integration;

->withExceptions(function (Exceptions $exceptions) {
    Integration::handles($exceptions);
})`,
    },
    { title: 'Initialize', text: `php artisan sentry:publish --dsn=${dsn}` },
    { title: 'Verify', text: 'php artisan sentry:test' },
  ],
  'php-symfony': (dsn) => [
    { title: 'Install', text: 'composer require sentry/sentry-symfony' },
    { title: 'Initialize', hint: 'In .env.', text: `SENTRY_DSN="${dsn}"` },
    { title: 'Verify', text: 'php bin/console sentry:test' },
  ],
};
