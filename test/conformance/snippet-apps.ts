/** What a guide takes for granted, so that its steps can be taken. */
export type SnippetApp = {
  /** Commands before the first step. */
  prepare?: readonly string[];
  /** The app that the guide adds to, at `HERE` where it is not the end. `verify` is the text of the last step. */
  files?: (verify: string) => Readonly<Record<string, string>>;
  /** Where files are that the guide names. */
  places?: Readonly<Record<string, string>>;
  /** Tried when the registry lacks a part of the newest version. */
  elseInstall?: string;
  /** What starts it, where the last step is code and not a command. */
  start?: string;
  /** What to open once it runs, where the last step does not say. `FREE_PORT` is replaced in all texts. */
  open?: string;
};

const MANIFEST = { 'package.json': '{ "private": true, "type": "module" }' };
const NODE: SnippetApp = { files: () => MANIFEST };
const PYTHON: SnippetApp = { prepare: ['python3 -m venv venv'] };
const GO: SnippetApp = { prepare: ['go mod init example.com/app'] };

const viteApp = (
  packages: string,
  plugin: string | null,
  entries: readonly string[],
  files: (verify: string) => Readonly<Record<string, string>>,
): SnippetApp => ({
  prepare: [`npm install vite ${packages}`],
  files: (verify) => ({
    ...MANIFEST,
    'index.html': `<div id="root"></div><div id="app"></div>
${entries.map((entry) => `<script type="module" src="/${entry}"></script>`).join('\n')}`,
    ...(plugin ? { 'vite.config.js': `${plugin}\nexport default { plugins: [plugin()] };` } : {}),
    ...files(verify),
  }),
  start: 'npx vite build && npx vite preview --port FREE_PORT --strictPort',
  open: 'http://localhost:FREE_PORT/',
});

const component = (verify: string): string =>
  `export default function App() {\n  return (\n${verify}\n  );\n}`;

const POM = (parent: string, dependencies: string, build: string): string => `<project>
<modelVersion>4.0.0</modelVersion>${parent}
<groupId>com.example</groupId><artifactId>app</artifactId><version>1.0.0</version>
<properties><maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target></properties>
<dependencies>${dependencies}</dependencies>${build}
</project>`;

const SPRING_BOOT = `<parent><groupId>org.springframework.boot</groupId>
<artifactId>spring-boot-starter-parent</artifactId><version>3.5.6</version></parent>`;
const SPRING_WEB =
  '<dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-web</artifactId></dependency>';
const SPRING_PLUGIN = `<build><plugins><plugin><groupId>org.springframework.boot</groupId>
<artifactId>spring-boot-maven-plugin</artifactId></plugin></plugins></build>`;

/** By platform; one that is not listed is not run. */
export const SNIPPET_APPS: Readonly<Record<string, SnippetApp>> = {
  javascript: viteApp('', null, ['main.js', 'button.js'], (verify) => ({ 'button.js': verify })),
  'javascript-react': viteApp(
    'react react-dom @vitejs/plugin-react',
    `import plugin from '@vitejs/plugin-react';`,
    ['main.jsx'],
    (verify) => ({ 'App.jsx': component(verify) }),
  ),
  'javascript-vue': viteApp(
    'vue @vitejs/plugin-vue',
    `import plugin from '@vitejs/plugin-vue';`,
    ['main.js'],
    (verify) => ({ 'App.vue': verify }),
  ),
  'javascript-svelte': viteApp(
    'svelte @sveltejs/vite-plugin-svelte',
    `import { svelte as plugin } from '@sveltejs/vite-plugin-svelte';`,
    ['src/main.js', 'src/button.js'],
    (verify) => ({ 'src/App.svelte': '<p>App</p>', 'src/button.js': verify }),
  ),
  'javascript-solid': viteApp(
    'solid-js vite-plugin-solid',
    `import plugin from 'vite-plugin-solid';`,
    ['src/index.jsx'],
    (verify) => ({ 'src/App.jsx': component(verify) }),
  ),
  'javascript-nextjs': {
    prepare: ['npm install next react react-dom typescript@5 @types/react @types/node'],
    files: () => ({
      'package.json': '{ "private": true }',
      'app/layout.tsx': `export default function Layout({ children }: { children: React.ReactNode }) {
  return <html><body>{children}</body></html>;
}`,
      'app/page.tsx': 'export default function Page() {\n  return <p>App</p>;\n}',
    }),
    elseInstall: 'npm install @sentry/nextjs@11.1.0',
    start: 'npx next build && npx next start --port FREE_PORT',
    open: 'http://localhost:FREE_PORT/break',
  },
  'javascript-nuxt': {
    prepare: ['npm install nuxt'],
    files: () => ({ ...MANIFEST, 'app.vue': '<template><p>App</p></template>' }),
    start:
      'npx nuxt build && NITRO_PORT=FREE_PORT node --import ./.output/server/sentry.server.config.mjs .output/server/index.mjs',
    open: 'http://localhost:FREE_PORT/api/break',
  },
  'javascript-astro': {
    prepare: ['npm install astro'],
    files: () => MANIFEST,
    start: 'npx astro build && npx astro preview --port FREE_PORT',
    open: 'http://localhost:FREE_PORT/break',
  },
  'javascript-react-router': {
    prepare: [
      'npm install --legacy-peer-deps react react-dom react-router @react-router/node @react-router/serve @react-router/dev vite@7 isbot typescript@5 @types/react @types/node',
    ],
    files: () => ({
      ...MANIFEST,
      'vite.config.ts': `import { reactRouter } from '@react-router/dev/vite';
export default { plugins: [reactRouter()] };`,
      'app/routes.ts': `import { route } from '@react-router/dev/routes';
export default [route('break', 'routes/break.tsx')];`,
      'app/root.tsx': `import { Outlet, Scripts } from 'react-router';
export default function Root() {
  return <html><body><Outlet /><Scripts /></body></html>;
}`,
    }),
    start: 'npx react-router build && PORT=FREE_PORT npx react-router-serve build/server/index.js',
    open: 'http://localhost:FREE_PORT/break',
  },
  'node-cloudflare-workers': {
    prepare: ['npm install wrangler'],
    files: () => ({
      ...MANIFEST,
      'wrangler.toml': 'name = "app"\nmain = "src/index.ts"\ncompatibility_date = "2025-09-01"\n',
    }),
    start: 'npx wrangler dev --port FREE_PORT',
    open: 'http://localhost:FREE_PORT/',
  },
  node: NODE,
  'node-express': NODE,
  'node-fastify': NODE,
  'node-koa': NODE,
  'node-hapi': NODE,
  'node-hono': NODE,
  'node-nestjs': {
    prepare: [
      'npm install @nestjs/core@11 @nestjs/common@11 @nestjs/platform-express@11 reflect-metadata rxjs typescript@5 @types/node',
    ],
    files: (verify) => ({
      'package.json': '{ "private": true }',
      'tsconfig.json': `{ "compilerOptions": { "target": "ES2022", "module": "commonjs", "outDir": "dist", "rootDir": "src",
"experimentalDecorators": true, "emitDecoratorMetadata": true, "skipLibCheck": true } }`,
      'src/main.ts': '',
      'src/start.ts': `import './main';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module';

@Controller()
class AppController {
${verify}
}

@Module({ imports: [AppModule], controllers: [AppController] })
class Root {}

void NestFactory.create(Root).then((app) => app.listen(FREE_PORT));`,
    }),
    start: 'npx tsc && node dist/start.js',
    open: 'http://localhost:FREE_PORT/break',
  },
  bun: { ...NODE, prepare: ['npm install bun'] },
  deno: { ...NODE, prepare: ['npm install deno'] },
  python: PYTHON,
  'python-django': {
    prepare: [...(PYTHON.prepare ?? []), 'pip install --quiet django', 'django-admin startproject shop .'],
    places: { 'settings.py': 'shop/settings.py', 'urls.py': 'shop/urls.py' },
  },
  'python-flask': PYTHON,
  'python-fastapi': PYTHON,
  'python-starlette': PYTHON,
  'python-aiohttp': PYTHON,
  'python-tornado': PYTHON,
  go: GO,
  'go-http': GO,
  'go-gin': GO,
  'go-echo': GO,
  'go-fiber': GO,
  java: { files: () => ({ 'pom.xml': POM('', 'HERE', '') }) },
  'java-spring-boot': {
    files: () => ({
      'pom.xml': POM(SPRING_BOOT, `${SPRING_WEB}HERE`, SPRING_PLUGIN),
      'src/main/resources/application.properties': 'server.port=FREE_PORT\n',
      'src/main/java/com/example/App.java': `package com.example;

@org.springframework.boot.autoconfigure.SpringBootApplication
public class App {
  public static void main(String[] args) {
    org.springframework.boot.SpringApplication.run(App.class, args);
  }
}`,
    }),
  },
  'java-logback': {
    files: (verify) => ({
      'pom.xml': POM(
        '',
        `<dependency><groupId>ch.qos.logback</groupId><artifactId>logback-classic</artifactId><version>1.5.18</version></dependency>HERE`,
        '',
      ),
      'src/main/java/com/example/Main.java': `package com.example;

import org.slf4j.LoggerFactory;

public class Main {
  public static void main(String[] args) {
    ${verify}
  }
}`,
    }),
    start: 'mvn -q compile exec:java -Dexec.mainClass=com.example.Main',
  },
  rust: { prepare: ['cargo init --quiet --name app --vcs none'] },
  other: {},
};
