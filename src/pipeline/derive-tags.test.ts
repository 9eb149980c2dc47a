import { expect, test } from 'vitest';
import { digestFixture } from './fixtures/digest-fixture.ts';

const tagsOf = (payload: unknown) => Object.fromEntries(digestFixture(payload).tags);

test('fields win over the client’s tags of the same name, those over what is guessed', () => {
  const tags = tagsOf({
    level: 'fatal',
    environment: 'production',
    release: '1.0',
    dist: '7',
    transaction: 'GET /',
    server_name: 'web-1',
    logger: 'app',
    request: { url: 'http://h/' },
    tags: {
      level: 'info',
      environment: 'x',
      release: 'x',
      user: 'x',
      'sentry:dist': 'x',
      logger: 'x',
      url: 'mine',
    },
  });
  expect(tags).toEqual({
    level: 'fatal',
    environment: 'production',
    release: '1.0',
    dist: '7',
    transaction: 'GET /',
    server_name: 'web-1',
    logger: 'app',
    url: 'mine',
  });
});

test.each([
  [{ id: 7, email: 'a@b.c' }, 'id:7'],
  [{ username: 'ada', email: 'a@b.c' }, 'username:ada'],
  [{ email: 'a@b.c', ip_address: '10.0.0.1' }, 'email:a@b.c'],
  [{ ip_address: '10.0.0.1' }, 'ip:10.0.0.1'],
  [{ name: 'Ada' }, undefined],
])('the user %o is the tag %s', (user, tag) => {
  expect(tagsOf({ user }).user).toBe(tag);
});

test('contexts are tags by name and version', () => {
  const contexts = {
    os: { name: 'Linux', version: '6.8' },
    runtime: { raw_description: '.NET 8.0.1' },
    browser: { name: 'Firefox' },
    device: { family: 'Pixel', model: 'Pixel 7' },
  };
  expect(tagsOf({ contexts })).toMatchObject({
    os: 'Linux 6.8',
    'os.name': 'Linux',
    runtime: '.NET 8.0.1',
    'runtime.name': '.NET',
    browser: 'Firefox',
    'browser.name': 'Firefox',
    device: 'Pixel 7',
    'device.family': 'Pixel',
  });
});

test('a server’s own system and its visitor’s do not mix', () => {
  const agent =
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36';
  const request = { headers: { 'User-Agent': agent } };
  expect(tagsOf({ platform: 'python', request, contexts: { os: { name: 'Linux' } } })).toMatchObject({
    'os.name': 'Linux',
    'client_os.name': 'Windows',
    'browser.name': 'Chrome',
  });
  expect(tagsOf({ platform: 'javascript', request })).toMatchObject({ 'os.name': 'Windows' });
});

test('a browser’s event without a request takes the agent it was delivered with, a server’s does not', () => {
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:121.0) Gecko/20100101 Firefox/121.0';
  const nameOf = (platform: string) =>
    digestFixture({ platform, message: 'm' }, { userAgent }).tags.find(
      ([key]) => key === 'browser.name',
    )?.[1];
  expect(nameOf('javascript')).toBe('Firefox');
  expect(nameOf('node')).toBeUndefined();
});

test('what a system says of itself ends in no white space', () => {
  const tags = tagsOf({ contexts: { os: { name: 'Debian', version: '12.11\n' } }, server_name: ' \n' });
  expect(tags).toMatchObject({ os: 'Debian 12.11', 'os.name': 'Debian' });
  expect('server_name' in tags).toBe(false);
});
