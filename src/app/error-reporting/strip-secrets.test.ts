import { expect, test } from 'vitest';
import { stripAddress, stripSecrets } from './strip-secrets.ts';

test.each([
  ['/setup?token=abc123', '/setup?token=[stripped]'],
  ['http://localhost:9000/setup?x=1&token=abc#top', 'http://localhost:9000/setup?x=1&token=[stripped]#top'],
  ['/reset-password/s3cret?done=1', '/reset-password/[stripped]?done=1'],
  ['GET https://errata.example.com/invite/s3cret', 'GET https://errata.example.com/invite/[stripped]'],
  ['/share/issue/s3cret', '/share/issue/[stripped]'],
  ['/share/dashboard/s3cret', '/share/dashboard/[stripped]'],
  ['/account/confirm-email/s3cret', '/account/confirm-email/[stripped]'],
  ['/unsubscribe/v1.s3cret-_', '/unsubscribe/[stripped]'],
  ['http://h/unsubscribe/v1.s3cret/choice?_rsc=1', 'http://h/unsubscribe/[stripped]/choice?_rsc=1'],
  ['/login?next=%2Funsubscribe%2Fv1.s3cret%2Fchoice', '/login?next=%2Funsubscribe%2F[stripped]%2Fchoice'],
  ['/login?next=%2Finvite%2Fs3cret&sso=failed', '/login?next=%2Finvite%2F[stripped]&sso=failed'],
  [
    '/login?next=%2faccount%2fconfirm-email%2fs3cret%3Fa',
    '/login?next=%2faccount%2fconfirm-email%2f[stripped]%3Fa',
  ],
  ['/login?next=%2Fshare%2Fissue%2Fs3cret', '/login?next=%2Fshare%2Fissue%2F[stripped]'],
  ['/main/issues/WEB-3F?query=token', '/main/issues/WEB-3F?query=token'],
  ['/login?next=%2Fmain', '/login?next=%2Fmain'],
])('%s becomes %s', (address, stripped) => {
  expect(stripAddress(address)).toBe(stripped);
});

test('no part of an event keeps a secret, wherever it stands', () => {
  const event = {
    request: {
      url: 'http://h/reset-password/s3cret',
      query_string: 'token=s3cret&a=1',
      headers: { Cookie: 'errata.session_token=s3cret', Referer: 'http://h/setup?token=s3cret' },
      cookies: { 'errata.session_token': 's3cret' },
    },
    breadcrumbs: [{ data: { from: '/invite/s3cret', to: '/main' } }],
    contexts: { nextjs: { request_path: '/setup?token=s3cret' } },
    exception: { values: [{ value: 'failed at /share/issue/s3cret' }] },
  };
  const stripped = stripSecrets(event);
  expect(JSON.stringify(stripped)).not.toContain('s3cret');
  expect(stripped.request.query_string).toBe('token=[stripped]&a=1');
  expect(event.request.query_string).toContain('s3cret');
});
