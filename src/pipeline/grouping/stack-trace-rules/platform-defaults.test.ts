import { expect, test } from 'vitest';
import type { Frame } from '#protocol/event.ts';
import { applyStackTraceRules } from './apply-stack-trace-rules.ts';
import { DEFAULT_STACK_TRACE_RULES } from './compile-stack-trace-rules.ts';

const verdicts = (platform: string, frames: readonly Frame[]) =>
  applyStackTraceRules(DEFAULT_STACK_TRACE_RULES, frames, { platform, exception: null }).frames;

test.each<[string, Frame]>([
  ['python', { abs_path: '/venv/lib/python3.12/site-packages/flask/app.py' }],
  ['python', { abs_path: '/usr/lib/python3/dist-packages/yaml/loader.py' }],
  ['javascript', { abs_path: 'https://shop.example/node_modules/react/index.js' }],
  ['javascript', { abs_path: 'https://unpkg.com/react@18/index.js' }],
  ['node', { function: 'processTicksAndRejections', filename: 'node:internal/process' }],
  ['java', { module: 'org.springframework.web.servlet.DispatcherServlet', function: 'doDispatch' }],
  ['java', { module: 'kotlin.collections.CollectionsKt', function: 'first' }],
  ['java', { module: 'android.os.Handler', function: 'post' }],
  ['php', { abs_path: '/app/vendor/laravel/framework/src/Kernel.php' }],
  ['go', { abs_path: '/home/ana/go/pkg/mod/github.com/gin-gonic/gin/context.go' }],
  ['cocoa', { package: 'CoreFoundation', function: 'CFRunLoopRun' }],
  ['native', { package: '/usr/lib/libc.so.6', function: 'read' }],
  ['native', { package: 'C:\\Windows\\System32\\kernel32.dll', function: 'ReadFile' }],
  ['native', { function: 'core::panicking::panic_fmt' }],
  ['native', { function: '__libc_start_main_impl' }],
  ['native', { function: '__libc_start_call_main' }],
  ['native', { function: 'start_thread' }],
  ['native', { function: 'clone3' }],
  ['native', { function: '__clone3' }],
  ['native', { package: '/data/app/shop/lib/libapp.so', abs_path: '/home/x/.pub-cache/dio/lib/dio.dart' }],
  ['csharp', { abs_path: '/src/vendor/lib.cs' }],
])('%s: %o is foreign code, whatever the SDK says', (platform, frame) => {
  const stack = [{ function: 'a' }, { ...frame, in_app: true }];
  const [, verdict] = verdicts(platform, stack);
  expect(verdict?.inApp).toBe(false);
});

test.each<[string, Frame]>([
  ['python', { abs_path: '/srv/shop/views.py', function: 'pay' }],
  ['java', { module: 'com.acme.shop.Cart', function: 'pay' }],
  ['node', { abs_path: '/srv/shop/cart.js', function: 'pay' }],
  ['native', { package: '/opt/acme/shop', function: 'pay' }],
])('%s: of %o no rule says anything', (platform, frame) => {
  expect(verdicts(platform, [frame])).toEqual([
    { inApp: null, inAppRule: null, category: null, contributes: null, contributesRule: null },
  ]);
});

test('an application of a user is own code, its support libraries are not', () => {
  const app = '/private/var/containers/Bundle/Application/0A1B/Shop.app';
  const [own, support] = verdicts('cocoa', [
    { package: `${app}/Shop`, function: 'pay' },
    { package: `${app}/Frameworks/libswiftCore.dylib`, function: 'swift_retain' },
  ]);
  expect([own?.inApp, support?.inApp]).toEqual([true, false]);
});

test('raising an error is not grouped by, nor what it calls', () => {
  const frames = [{ function: 'pay' }, { function: 'abort' }, { function: 'pthread_kill' }];
  expect(verdicts('native', frames).map(({ contributes }) => contributes)).toEqual([null, false, false]);
});

test('what starts a thread is not grouped by, nor what called it', () => {
  const frames = [{ function: 'clone' }, { function: 'start_wqthread' }, { function: 'pay' }];
  expect(verdicts('cocoa', frames).map(({ contributes }) => contributes)).toEqual([false, false, null]);
});

test('of calls within one library of the system only the first counts', () => {
  const frames = [
    { function: 'pay' },
    { function: 'CFRunLoopRun', package: 'CoreFoundation' },
    { function: 'CFRunLoopRunSpecific', package: 'CoreFoundation' },
  ];
  expect(verdicts('cocoa', frames).map(({ category }) => category)).toEqual([null, 'system', 'internals']);
});

test('a failed check of Unreal Engine is the caller’s', () => {
  const frames = [
    { function: 'AShop::Pay' },
    { function: 'FDebug::CheckVerifyFailedImpl' },
    { function: 'Report' },
  ];
  expect(verdicts('native', frames).map(({ inApp }) => inApp)).toEqual([true, false, false]);
});
