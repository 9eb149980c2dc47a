import { type Guide, type Guides, install, startAndOpen, verify } from './snippet.ts';

const pip = (extra: string | null, others = '') =>
  install(`pip install --upgrade ${extra ? `"sentry-sdk[${extra}]"` : 'sentry-sdk'}${others}`);

const init = (dsn: string): string => `sentry_sdk.init(
    dsn="${dsn}",
)`;

/** A web framework: `app` follows the call of init and has a route /break that fails. */
const webApp = (
  name: string,
  {
    imports,
    app,
    packages,
    command,
    port,
    hint = 'Initialize before you create the app.',
  }: { imports: string; app: string; packages: string; command: string; port: number; hint?: string },
): Guide => ({
  docs: `python/integrations/${name}/`,
  traces: null,
  steps: (dsn) => [
    pip(name === 'tornado' ? null : name, packages),
    {
      title: 'Initialize',
      hint,
      file: 'main.py',
      text: `import sentry_sdk
${imports}

${init(dsn)}

${app}`,
    },
    startAndOpen(command, `http://localhost:${port}/break`),
  ],
});

export const PYTHON_GUIDES: Guides = {
  python: {
    docs: 'python/',
    traces: null,
    steps: (dsn) => [
      pip(null),
      {
        title: 'Initialize',
        hint: 'Initialize as early as possible. The last line throws a test error. Remove it after you see the error in Errata.',
        file: 'app.py',
        text: `import sentry_sdk

${init(dsn)}

division_by_zero = 1 / 0`,
      },
      verify('python3 app.py'),
    ],
  },
  'python-django': {
    docs: 'python/integrations/django/',
    traces: null,
    steps: (dsn) => [
      pip('django'),
      {
        title: 'Initialize',
        hint: 'Django is detected automatically.',
        into: 'settings.py',
        text: `import sentry_sdk

${init(dsn)}`,
      },
      {
        title: 'Add a route that fails',
        into: 'urls.py',
        text: `from django.urls import path

def break_the_world(request):
    return 1 / 0

urlpatterns += [path("break/", break_the_world)]`,
      },
      startAndOpen('python3 manage.py runserver 8000', 'http://localhost:8000/break/'),
    ],
  },
  'python-flask': webApp('flask', {
    imports: 'from flask import Flask',
    app: `app = Flask(__name__)

@app.route("/break")
def break_the_world():
    return str(1 / 0)`,
    packages: '',
    command: 'flask --app main run --port 5000',
    port: 5000,
  }),
  'python-fastapi': webApp('fastapi', {
    imports: 'from fastapi import FastAPI',
    app: `app = FastAPI()

@app.get("/break")
async def break_the_world():
    return 1 / 0`,
    packages: ' uvicorn',
    command: 'uvicorn main:app --port 8000',
    port: 8000,
  }),
  'python-starlette': webApp('starlette', {
    imports: `from starlette.applications import Starlette
from starlette.routing import Route`,
    app: `async def break_the_world(request):
    return 1 / 0

app = Starlette(routes=[Route("/break", break_the_world)])`,
    packages: ' uvicorn',
    command: 'uvicorn main:app --port 8000',
    port: 8000,
  }),
  'python-aiohttp': webApp('aiohttp', {
    imports: 'from aiohttp import web',
    app: `async def break_the_world(request):
    return web.Response(text=str(1 / 0))

app = web.Application()
app.add_routes([web.get("/break", break_the_world)])

if __name__ == "__main__":
    web.run_app(app, port=8080)`,
    packages: '',
    command: 'python3 main.py',
    port: 8080,
  }),
  'python-tornado': webApp('tornado', {
    imports: `import asyncio
from tornado.web import Application, RequestHandler`,
    app: `class BreakHandler(RequestHandler):
    def get(self):
        self.write(str(1 / 0))

async def main():
    Application([("/break", BreakHandler)]).listen(8888)
    await asyncio.Event().wait()

asyncio.run(main())`,
    packages: ' tornado',
    command: 'python3 main.py',
    port: 8888,
  }),
  'python-celery': {
    docs: 'python/integrations/celery/',
    traces: null,
    steps: (dsn) => [
      pip('celery'),
      {
        title: 'Initialize',
        hint: 'Initialize where the worker and the app that queues tasks both load it.',
        file: 'tasks.py',
        text: `import sentry_sdk
from celery import Celery

${init(dsn)}

app = Celery("tasks", broker="redis://localhost:6379/0")

@app.task
def break_the_world():
    return 1 / 0`,
      },
      {
        title: 'Start a worker',
        text: 'celery --app tasks worker',
      },
      verify(
        `python3 -c "import tasks; tasks.break_the_world.delay()"`,
        'Queue the task from another terminal.',
      ),
    ],
  },
};
