import { newEventId } from './envelope.ts';
import type { RichEvent } from './rich-event.ts';

/** What would run or spoof if a page took it for its own. */
export const SCRIPTS = [
  '<script>window.__ran = 1</script>',
  '"><img src=x onerror="window.__ran=1">',
  "'-(window.__ran=1)-'",
  'javascript:window.__ran=1',
  'data:text/html,<script>window.__ran=1</script>',
  '\u202eesrever\u202c \u0000 \ud800 \u2028',
  '#{window.__ran=1} {{constructor.constructor("window.__ran=1")()}}',
] as const;

const everything = SCRIPTS.join(' ');

const eventOf = (mark: string, more: Record<string, unknown>): RichEvent => ({
  event_id: newEventId(),
  timestamp: Date.now() / 1000,
  platform: 'javascript',
  level: 'error',
  fingerprint: [mark],
  ...more,
});

const frame = (index: number, more: Record<string, unknown> = {}) => ({
  function: `f${index}`,
  filename: `src/f${index}.ts`,
  lineno: index + 1,
  in_app: true,
  ...more,
});

/** Scripts in every field that a page shows. */
export const makeScriptEvent = (mark: string): RichEvent =>
  eventOf(mark, {
    transaction: everything,
    release: 'web@1<b>',
    environment: '<i>prod</i>',
    server_name: everything,
    logger: everything,
    user: { id: everything, email: everything, username: everything, name: everything },
    tags: Object.fromEntries(SCRIPTS.map((script, index) => [`t${index}`, script])),
    extra: { [everything]: everything, link: SCRIPTS[3] },
    request: {
      url: SCRIPTS[3],
      method: 'GET',
      headers: { [SCRIPTS[1]]: everything, Referer: SCRIPTS[4] },
      cookies: { a: everything },
      data: everything,
    },
    contexts: { [everything]: { [everything]: everything }, device: { model: everything, name: everything } },
    breadcrumbs: {
      values: SCRIPTS.map((message) => ({ message, category: message, data: { url: message } })),
    },
    exception: {
      values: SCRIPTS.map((value) => ({
        type: value,
        value: everything,
        module: everything,
        mechanism: { type: everything, handled: false },
        stacktrace: {
          frames: [
            frame(1, {
              function: value,
              filename: value,
              abs_path: value,
              module: value,
              context_line: everything,
              pre_context: [...SCRIPTS],
              vars: { [everything]: everything },
            }),
          ],
        },
      })),
    },
    threads: { values: [{ id: 1, name: everything, crashed: true, stacktrace: { frames: [frame(1)] } }] },
  });

/** Ten thousand frames in forty exceptions, among them a recursion with source and variables. */
export const makeDeepEvent = (mark: string): RichEvent =>
  eventOf(mark, {
    exception: {
      values: Array.from({ length: 40 }, (_, exception) => ({
        type: `E${exception}`,
        value: 'deep',
        stacktrace: {
          frames: Array.from({ length: 250 }, (_, index) =>
            frame(
              index,
              exception === 39 ? { context_line: 'return again(n - 1);', vars: { n: index } } : {},
            ),
          ),
        },
      })),
    },
  });

/** Texts as long as an event may have them, 500 tags, deep contexts, thousands of modules. */
export const makeWideEvent = (mark: string): RichEvent =>
  eventOf(mark, {
    logentry: { formatted: 'wide '.repeat(40_000) },
    tags: Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`tag.${index}`, `value ${index}`])),
    extra: {
      unbroken: 'x'.repeat(300_000),
      lines: 'line\n'.repeat(20_000),
      list: Array.from({ length: 3_000 }, (_, index) => index),
    },
    contexts: {
      deep: nest(200),
      ...Object.fromEntries(Array.from({ length: 90 }, (_, i) => [`c${i}`, { i }])),
    },
    modules: Object.fromEntries(Array.from({ length: 4_000 }, (_, index) => [`module-${index}`, '1.0.0'])),
    breadcrumbs: {
      values: Array.from({ length: 200 }, (_, index) => ({
        message: `crumb ${index}`,
        data: { body: 'y'.repeat(1_000) },
      })),
    },
    exception: { values: [{ type: 'Wide', value: 'z'.repeat(100_000), stacktrace: { frames: [frame(1)] } }] },
  });

const nest = (depth: number): unknown => (depth === 0 ? 'end' : { a: nest(depth - 1) });
