import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { answerDownload } from './answer-download.ts';

const download = (name: string, contentType = 'text/plain') =>
  answerDownload({ content: Readable.from([Buffer.from('abc')]), bytes: 3 }, { name, contentType });

test('the body is streamed, to be saved and never to be taken for a page', async () => {
  const answer = download('log.txt');
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/plain',
    'content-length': '3',
    'content-disposition': `attachment; filename="log.txt"; filename*=UTF-8''log.txt`,
    'content-security-policy': expect.stringContaining('sandbox'),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
  expect(await answer.text()).toBe('abc');
});

test.each(['text/html', 'image/svg+xml', 'application/xhtml+xml', 'text/plainer', '', 'x\r\ny'])(
  'the type %j is only bytes',
  (type) => {
    expect(download('a', type).headers.get('content-type')).toBe('application/octet-stream');
  },
);

test('parameters of a type are left out', () => {
  expect(download('a', 'Image/PNG; name=x').headers.get('content-type')).toBe('image/png');
});

test.each([
  ['Bericht "März".txt', `filename="Bericht _M_rz_.txt"; filename*=UTF-8''Bericht%20%22M%C3%A4rz%22.txt`],
  ['../../etc/passwd', `filename="passwd"; filename*=UTF-8''passwd`],
  ['C:\\dumps\\a.dmp', `filename="a.dmp"; filename*=UTF-8''a.dmp`],
  ['a\r\nset-cookie: x=1', `filename="a__set-cookie_ x_1"; filename*=UTF-8''a%0D%0Aset-cookie%3A%20x%3D1`],
  ['\ud800', `filename="_"; filename*=UTF-8''%EF%BF%BD`],
  ['', `filename="download"; filename*=UTF-8''download`],
])('the name %j can be written into a header', (name, expected) => {
  expect(download(name).headers.get('content-disposition')).toBe(`attachment; ${expected}`);
});
