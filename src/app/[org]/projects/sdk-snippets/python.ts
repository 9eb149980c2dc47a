import type { Snippets } from './snippet.ts';

/** Python. */
export const PYTHON_SNIPPETS: Snippets = {
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
};
