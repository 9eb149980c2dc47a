import type { Snippets } from './snippet.ts';

export const PYTHON_SNIPPETS: Snippets = {
  python: (dsn) => [
    { title: 'Install', text: 'pip install --upgrade sentry-sdk' },
    {
      title: 'Initialize',
      hint: 'Initialize as early as possible. The last line throws a test error. Remove it after you see the error in Errata.',
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
      hint: 'Add this to settings.py. Django is detected automatically.',
      text: `import sentry_sdk

sentry_sdk.init(
    dsn="${dsn}",
)`,
    },
    {
      title: 'Verify',
      hint: 'Add this to urls.py and open /break/.',
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
      hint: 'Initialize before you create the app.',
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
      hint: 'Start the app, then open http://localhost:5000/break.',
      text: 'flask --app app.py run',
    },
  ],
  'python-fastapi': (dsn) => [
    { title: 'Install', text: 'pip install --upgrade "sentry-sdk[fastapi]" uvicorn' },
    {
      title: 'Initialize',
      hint: 'Initialize before you create the app.',
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
    {
      title: 'Verify',
      hint: 'Start the app, then open http://localhost:8000/break.',
      text: 'uvicorn main:app',
    },
  ],
};
