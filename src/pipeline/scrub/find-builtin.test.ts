import { describe, expect, test } from 'vitest';
import { withinMs } from '#lib/fixtures/within-ms.ts';
import { type BuiltinType, findBuiltin, findUrlPassword } from './find-builtin.ts';

const hide = (type: BuiltinType, text: string): string => {
  let result = '';
  let at = 0;
  for (const [start, end] of findBuiltin(type, text)) {
    result += `${text.slice(at, start)}#`;
    at = end;
  }
  return result + text.slice(at);
};

describe('what each built-in type finds', () => {
  test.each<[BuiltinType, string, string]>([
    ['creditcard', 'foo 4571234567890111', 'foo #'],
    ['creditcard', "'4571 2345 6789 0111'", "'#'"],
    ['creditcard', '3782-822463-10005', '#'],
    ['creditcard', '6011111111111117', '#'],
    ['creditcard', '5555555555554444', '#'],
    ['creditcard', '1453843029218310', '1453843029218310'],
    ['creditcard', '45712345678901112', '45712345678901112'],
    ['iban', 'some iban: DE89370400440532013000!', 'some iban: #!'],
    ['iban', 'NO9386011117945', '#'],
    ['iban', 'NO938601111794', 'NO938601111794'],
    ['iban', 'fooNO9386011117945bar', 'fooNO9386011117945bar'],
    ['iban', 'XX89370400440532013000', 'XX89370400440532013000'],
    ['usssn', 'ssn 078-05-1120.', 'ssn #.'],
    ['usssn', '1078-05-1120', '1078-05-1120'],
    ['email', 'Ann <ann@example.com>', 'Ann <#>'],
    ['email', 'a.b+c@mail.example.co.uk, x', '#, x'],
    ['email', 'user@localhost', 'user@localhost'],
    ['bearer', 'Authorization: Bearer abc.def', 'Authorization: #'],
    ['bearer', 'the bearer of news', 'the # news'],
    ['urlauth', 'https://ann:pw@example.com/x', 'https://#@example.com/x'],
    ['urlauth', 'https://ann@example.com', 'https://#@example.com'],
    ['urlauth', 'https://example.com/@x', 'https://example.com/@x'],
    ['userpath', '/Users/ann/src/x.py', '/Users/#/src/x.py'],
    ['userpath', 'C:\\Users\\ann\\x.py', 'C:\\Users\\#\\x.py'],
    ['userpath', '/home/ann', '/home/#'],
    ['userpath', 'C:\\Documents and Settings\\ann\\x', 'C:\\Documents and Settings\\#\\x'],
    ['uuid', 'id ceee0822-ed8f-4622-b2a3-789e73e75cd1', 'id #'],
    ['mac', 'ether 4a:00:04:10:9b:50', 'ether #'],
    ['imei', 'before 356938035643809 after', 'before # after'],
    ['ip', 'before 127.0.0.1 after', 'before # after'],
    ['ip', 'version 1.2.3', 'version 1.2.3'],
    ['ip', '300.1.1.1', '300.1.1.1'],
    ['ip', 'before ::1 after', 'before # after'],
    ['ip', '[2001:0db8:85a3:0000:0000:8a2e:0370:7334]', '[#]'],
    ['ip', '[::1]:8080', '[#]:8080'],
    ['ip', 'fe80::1: no route', '#: no route'],
    ['ip', '::ffff:192.0.2.1', '#'],
    ['ip', 'foo::1', 'foo::1'],
    ['ip', 'std::vector at 12:30:45', 'std::vector at 12:30:45'],
    ['ip', 'x :: y', 'x :: y'],
    [
      'pemkey',
      '-----BEGIN RSA PRIVATE KEY-----\nabc\ndef\n-----END RSA PRIVATE KEY-----\n',
      '-----BEGIN RSA PRIVATE KEY-----\n#\n-----END RSA PRIVATE KEY-----\n',
    ],
    ['pemkey', 'x -----BEGIN PRIVATE KEY-----\nabc that was cut', 'x -----BEGIN PRIVATE KEY-----\n#'],
    ['pemkey', '-----BEGIN CERTIFICATE-----\nabc', '-----BEGIN CERTIFICATE-----\nabc'],
  ])('%s: %s', (type, text, expected) => {
    expect(hide(type, text)).toBe(expected);
  });

  test.each([
    ['pg://matt:pass@localhost/1', ['pass']],
    ['redis://:pass@localhost', ['pass']],
    ["foo redis://redis:foo@localhost:6379/0 bar 'pg://matt:b@h/1'", ['foo', 'b']],
    ['{"a":"https://localhost","b":"foo@localhost","c":"pg://matt:pass@localhost/1"}', ['pass']],
    ['postgres:///path', []],
  ])('the password of %s', (text, expected) => {
    expect(findUrlPassword(text).map(([start, end]) => text.slice(start, end))).toEqual(expected);
  });

  // Each text is made to be hard for the pattern: nearly a match, over and over.
  test.each<[BuiltinType, string]>([
    ['email', 'a.'],
    ['email', 'a@a.'],
    ['email', '@'],
    ['creditcard', '4111 1111 1111 '],
    ['iban', 'DE89'],
    ['urlauth', '//a:'],
    ['urlauth', 'a-'],
    ['userpath', 'a '],
    ['userpath', 'C:\\profiles'],
    ['pemkey', '-----BEGIN PRIVATE KEY-----\n'],
    ['pemkey', '-----BEGIN A'],
    ['ip', '1.1.1.'],
    ['ip', ':a'],
    ['ip', '::'],
    ['uuid', 'a-'],
    ['bearer', 'bearer '],
  ])('%s takes linear time over repetitions of %j', (type, piece) => {
    // 200,000 pieces: a quadratic pattern would need minutes.
    withinMs(2_000, () => findBuiltin(type, piece.repeat(50_000)));
  });
});
