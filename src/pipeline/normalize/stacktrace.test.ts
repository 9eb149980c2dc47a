import { expect, test } from 'vitest';
import { digestFixture } from '../fixtures/digest-fixture.ts';

function framesOf(platform: string, frames: readonly object[]) {
  const { payload } = digestFixture({ platform, exception: { type: 'E', stacktrace: { frames } } });
  return payload.exception?.values[0]?.stacktrace?.frames ?? [];
}

test.each([
  ['https://cdn.example.com/a/b.js?v=1#x', '/a/b.js'],
  ['webpack:///./src/a.ts', 'webpack:///./src/a.ts'],
  ['app:///main.js', 'app:///main.js'],
  ['file:///srv/a.js', '/srv/a.js'],
  ['applewebdata://0A/b.js', '/b.js'],
  ['https://example.com/', 'https://example.com/'],
  ['node:internal/process', 'node:internal/process'],
  ['C:\\app\\a.cs', 'C:\\app\\a.cs'],
  ['/srv/app/a.py', '/srv/app/a.py'],
])('a frame of %s alone has it as address, and %s as file name', (sent, filename) => {
  const expected = { abs_path: sent, filename };
  expect(framesOf('javascript', [{ filename: sent }])).toMatchObject([expected]);
  expect(framesOf('javascript', [{ abs_path: sent }])).toMatchObject([expected]);
});

test('positions are numbers from 1, addresses are hexadecimal', () => {
  const [frame] = framesOf('native', [
    { function: 'f', lineno: '12', colno: 0, instruction_addr: 4096, symbol_addr: '0xff' },
  ]);
  expect(frame).toMatchObject({ lineno: 12, instruction_addr: '0x1000', symbol_addr: '0xff' });
  expect(frame?.colno).toBeUndefined();
});

test('the source lines nearest to the frame are kept', () => {
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
  const [frame] = framesOf('python', [
    { function: 'f', pre_context: lines, context_line: 'here', post_context: [null, ...lines] },
  ]);
  expect(frame?.pre_context).toEqual(lines.slice(-20));
  expect(frame?.post_context).toEqual([null, ...lines.slice(0, 19)]);
});

test.each([
  ['javascript', { filename: 'https://h/static/node_modules/react/index.js' }, false],
  ['javascript', { filename: '<anonymous>', function: 'Array.map' }, false],
  ['node', { filename: 'node:internal/timers' }, false],
  ['node', { filename: '/srv/app/server.js' }, true],
  ['python', { abs_path: '/usr/lib/python3/dist-packages/flask/app.py', module: 'flask.app' }, false],
  ['python', { abs_path: '/srv/app/views.py', module: 'app.views' }, true],
  ['java', { module: 'org.springframework.web.servlet.DispatcherServlet' }, false],
  ['java', { module: 'javassist.Own' }, true],
  ['java', { module: 'com.acme.Shop' }, true],
  ['php', { filename: '/vendor/laravel/framework/a.php' }, false],
  ['php', { filename: '/app/a.php' }, true],
  ['ruby', { abs_path: '/usr/local/bundle/gems/rack-3.0/lib/rack.rb' }, false],
  ['ruby', { abs_path: '/rails/app/models/user.rb' }, true],
  ['go', { module: 'net/http', function: 'serve' }, false],
  ['go', { module: 'networks/own', function: 'serve' }, true],
  ['csharp', { module: 'System.Linq.Enumerable' }, false],
  ['csharp', { module: 'Systematic.Shop' }, true],
  ['rust', { function: 'core::panicking::panic', filename: 'panicking.rs' }, false],
  ['native', { function: 'f', package: '/usr/lib/libc.so.6' }, false],
  ['native', { function: 'f', package: 'C:\\Windows\\System32\\ntdll.dll' }, false],
  ['native', { function: 'f', package: '/opt/acme/studio' }, true],
  ['native', { function: 'f', package: 'studio' }, null],
  ['brainfuck', { function: 'f', filename: 'a.bf' }, null],
])('%s: of %o the SDK did not say, so in_app is %s', (platform, frame, inApp) => {
  const [guessed] = framesOf(platform, [frame]);
  expect(guessed?.in_app).toBe(inApp);
  expect(guessed?.data).toEqual(inApp === null ? undefined : { orig_in_app: -1 });
});

test('an SDK that speaks for some frames means its silence about the others, except on foreign code', () => {
  const frames = framesOf('java', [
    { module: 'com.acme.Shop', in_app: true },
    { module: 'com.partner.Lib' },
    { module: 'java.util.List' },
    { module: 'java.util.Own', in_app: true },
  ]);
  expect(frames.map((frame) => frame.in_app)).toEqual([true, null, false, true]);
});
