/** One step of connecting a program: what to run, or what to write into which file. */
export type SnippetStep = {
  title: string;
  hint?: string;
  /** The whole file, when the text is one. */
  file?: string;
  text: string;
};

/**
 * Install, initialize and verify, for the SDK of a platform; one for every platform of the list. Each step needs only
 * those before it, and the last one reports an error. The SDKs are Sentry's own. Source: https://docs.sentry.io/platforms/
 */
export function sdkSnippet(platform: string | null, dsn: string): readonly SnippetStep[] {
  const steps = SNIPPETS[platform ?? 'other'] ?? SNIPPETS.other;
  return steps ? steps(dsn) : [];
}

const npm = (name: string): SnippetStep => ({ title: 'Install', text: `npm install ${name}` });

const browser = (name: string, rest: (dsn: string) => SnippetStep[]) => (dsn: string) => [
  npm(name),
  ...rest(dsn),
];

const throwOnClick: SnippetStep = {
  title: 'Verify',
  hint: 'Throw an error in the page, for example from a button.',
  text: `const button = document.createElement('button');
button.textContent = 'Break the world';
button.onclick = () => {
  throw new Error('Hello from the browser');
};
document.body.append(button);`,
};

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

const SNIPPETS: Readonly<Record<string, (dsn: string) => readonly SnippetStep[]>> = {
  javascript: browser('@sentry/browser', (dsn) => [
    {
      title: 'Initialize',
      hint: 'As early as possible, before other code of the page. The import needs a bundler, such as Vite or webpack.',
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
      hint: 'In a file that the entry point imports first. With React 19, hand its errors over too.',
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
      hint: 'In main.ts, before bootstrapApplication.',
      text: `import * as Sentry from '@sentry/angular';

Sentry.init({
  dsn: '${dsn}',
});`,
    },
    {
      title: 'Report what components throw',
      hint: 'In app.config.ts.',
      text: `import { ApplicationConfig, ErrorHandler } from '@angular/core';
import * as Sentry from '@sentry/angular';

export const appConfig: ApplicationConfig = {
  providers: [{ provide: ErrorHandler, useValue: Sentry.createErrorHandler() }],
};`,
    },
    { title: 'Verify', text: `throw new Error('Hello from Angular');` },
  ]),
  'javascript-svelte': browser('@sentry/svelte', (dsn) => [
    {
      title: 'Initialize',
      hint: 'In main.js, before the app is mounted.',
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
  python: (dsn) => [
    { title: 'Install', text: 'pip install --upgrade sentry-sdk' },
    {
      title: 'Initialize',
      hint: 'As early as possible in the program. The last line fails: take it away when you have seen its error.',
      file: 'app.py',
      text: `import sentry_sdk

sentry_sdk.init(
    dsn="${dsn}",
)

division_by_zero = 1 / 0`,
    },
    { title: 'Verify', text: 'python3 app.py' },
  ],
  'python-django': (dsn) => [
    { title: 'Install', text: 'pip install --upgrade "sentry-sdk[django]"' },
    {
      title: 'Initialize',
      hint: 'In settings.py. Django is found by itself.',
      text: `import sentry_sdk

sentry_sdk.init(
    dsn="${dsn}",
)`,
    },
    {
      title: 'Verify',
      hint: 'In urls.py. Open /break/.',
      text: `from django.urls import path

def break_the_world(request):
    return 1 / 0

urlpatterns += [path("break/", break_the_world)]`,
    },
  ],
  'python-flask': (dsn) => [
    { title: 'Install', text: 'pip install --upgrade "sentry-sdk[flask]"' },
    {
      title: 'Initialize',
      hint: 'Before the app is made.',
      file: 'app.py',
      text: `import sentry_sdk
from flask import Flask

sentry_sdk.init(
    dsn="${dsn}",
)

app = Flask(__name__)

@app.route("/break")
def break_the_world():
    return str(1 / 0)`,
    },
    {
      title: 'Verify',
      hint: 'Start it, then open http://localhost:5000/break.',
      text: 'flask --app app.py run',
    },
  ],
  'python-fastapi': (dsn) => [
    { title: 'Install', text: 'pip install --upgrade "sentry-sdk[fastapi]" uvicorn' },
    {
      title: 'Initialize',
      hint: 'Before the app is made.',
      file: 'main.py',
      text: `import sentry_sdk
from fastapi import FastAPI

sentry_sdk.init(
    dsn="${dsn}",
)

app = FastAPI()

@app.get("/break")
async def break_the_world():
    return 1 / 0`,
    },
    { title: 'Verify', hint: 'Start it, then open http://localhost:8000/break.', text: 'uvicorn main:app' },
  ],
  go: (dsn) => [
    {
      title: 'Install',
      hint: 'In the folder of your module; go mod init makes one.',
      text: 'go get github.com/getsentry/sentry-go@latest',
    },
    {
      title: 'Initialize',
      file: 'main.go',
      text: `package main

import (
	"errors"
	"log"
	"time"

	"github.com/getsentry/sentry-go"
)

func main() {
	err := sentry.Init(sentry.ClientOptions{
		Dsn:              "${dsn}",
		AttachStacktrace: true,
	})
	if err != nil {
		log.Fatalf("sentry.Init: %s", err)
	}
	// Waits for what is still on its way.
	defer sentry.Flush(2 * time.Second)

	sentry.CaptureException(errors.New("Hello from Go"))
}`,
    },
    { title: 'Verify', text: 'go run .' },
  ],
  java: (dsn) => [
    {
      title: 'Install',
      hint: 'With Maven. For Gradle: implementation("io.sentry:sentry:8.43.1")',
      text: `<dependency>
  <groupId>io.sentry</groupId>
  <artifactId>sentry</artifactId>
  <version>8.43.1</version>
</dependency>`,
    },
    {
      title: 'Initialize and verify',
      hint: 'Run it.',
      file: 'Main.java',
      text: `import io.sentry.Sentry;

public class Main {
  public static void main(String[] args) {
    Sentry.init(options -> {
      options.setDsn("${dsn}");
    });

    throw new IllegalStateException("Hello from Java");
  }
}`,
    },
  ],
  'java-spring-boot': (dsn) => [
    {
      title: 'Install',
      hint: 'Spring Boot 3. For Spring Boot 4 the artifact is sentry-spring-boot-4.',
      text: `<dependency>
  <groupId>io.sentry</groupId>
  <artifactId>sentry-spring-boot-starter-jakarta</artifactId>
  <version>8.43.1</version>
</dependency>`,
    },
    { title: 'Initialize', hint: 'In application.properties.', text: `sentry.dsn=${dsn}` },
    {
      title: 'Verify',
      hint: 'Open /break.',
      text: `@RestController
class BreakController {
  @GetMapping("/break")
  String breakTheWorld() {
    throw new IllegalStateException("Hello from Spring Boot");
  }
}`,
    },
  ],
  php: (dsn) => [
    { title: 'Install', text: 'composer require sentry/sentry' },
    {
      title: 'Initialize',
      hint: 'As early as possible in the program. The last line fails: take it away when you have seen its error.',
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
      title: 'Report what the app throws',
      hint: 'In bootstrap/app.php.',
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
  ruby: (dsn) => [
    { title: 'Install', text: 'bundle add sentry-ruby' },
    {
      title: 'Initialize',
      file: 'app.rb',
      text: `require "sentry-ruby"

Sentry.init do |config|
  config.dsn = "${dsn}"
end

begin
  1 / 0
rescue ZeroDivisionError => e
  Sentry.capture_exception(e)
end`,
    },
    { title: 'Verify', text: 'bundle exec ruby app.rb' },
  ],
  'ruby-rails': (dsn) => [
    { title: 'Install', text: 'bundle add sentry-ruby sentry-rails' },
    {
      title: 'Initialize',
      hint: 'In config/initializers/sentry.rb.',
      text: `Sentry.init do |config|
  config.dsn = "${dsn}"
  config.breadcrumbs_logger = [:active_support_logger, :http_logger]
end`,
    },
    {
      title: 'Verify',
      text: `bin/rails runner 'Sentry.capture_message("Hello from Rails")'`,
    },
  ],
  dotnet: (dsn) => [
    { title: 'Install', text: 'dotnet add package Sentry' },
    {
      title: 'Initialize',
      file: 'Program.cs',
      text: `using Sentry;

using var _ = SentrySdk.Init(options =>
{
    options.Dsn = "${dsn}";
});

throw new InvalidOperationException("Hello from .NET");`,
    },
    { title: 'Verify', text: 'dotnet run' },
  ],
  'dotnet-aspnetcore': (dsn) => [
    { title: 'Install', text: 'dotnet add package Sentry.AspNetCore' },
    {
      title: 'Initialize',
      file: 'Program.cs',
      text: `var builder = WebApplication.CreateBuilder(args);
builder.WebHost.UseSentry(options =>
{
    options.Dsn = "${dsn}";
});

var app = builder.Build();
app.MapGet("/break", string () => throw new InvalidOperationException("Hello from ASP.NET Core"));
app.Run();`,
    },
    {
      title: 'Verify',
      hint: 'Start it, then open /break at the address that it prints.',
      text: 'dotnet run',
    },
  ],
  rust: (dsn) => [
    { title: 'Install', text: 'cargo add sentry' },
    {
      title: 'Initialize',
      file: 'src/main.rs',
      text: `fn main() {
    let _guard = sentry::init((
        "${dsn}",
        sentry::ClientOptions {
            release: sentry::release_name!(),
            ..Default::default()
        },
    ));

    panic!("Hello from Rust");
}`,
    },
    { title: 'Verify', text: 'cargo run' },
  ],
  other: (dsn) => [
    {
      title: 'Initialize',
      hint: 'Every Sentry SDK takes the DSN from this variable when the program does not name one.',
      text: `SENTRY_DSN=${dsn}`,
    },
    {
      title: 'Verify',
      hint: 'Or send one event by hand.',
      text: curlSnippet(dsn),
    },
  ],
};

/** Shape: `http://<key>@host/<projectId>`. */
function curlSnippet(dsn: string): string {
  const url = new URL(dsn);
  const projectId = url.pathname.split('/').at(-1);
  const path = url.pathname.slice(0, -(projectId?.length ?? 0));
  return `curl '${url.protocol}//${url.host}${path}api/${projectId}/store/?sentry_key=${url.username}' \\
  -H 'Content-Type: application/json' \\
  -d '{"message": "Hello from curl", "level": "error", "platform": "other"}'`;
}
