import { describe, expect, it, test } from 'vitest';
import type { Breadcrumb } from '#protocol/event.ts';
import { readBreadcrumb } from './read-breadcrumb.ts';

const lineOf = (crumb: Breadcrumb) => {
  const line = readBreadcrumb(crumb);
  return [line.kind, [line.text, line.status].filter(Boolean).join(' '), line.result];
};

describe('a breadcrumb in one line', () => {
  test.each<[string, Breadcrumb, string, string, string]>([
    [
      'a browser’s fetch',
      { type: 'http', category: 'fetch', data: { method: 'POST', url: '/api/x', status_code: 500 } },
      'http',
      'POST /api/x [500]',
      'danger',
    ],
    [
      'a text for a status',
      { category: 'xhr', data: { method: 'GET', url: '/a', status_code: '404' } },
      'http',
      'GET /a [404]',
      'warning',
    ],
    [
      'Python',
      {
        type: 'http',
        category: 'httplib',
        data: { method: 'GET', url: 'https://x.example/', status_code: 204, reason: 'No Content' },
      },
      'http',
      'GET https://x.example/ [204]',
      'success',
    ],
    [
      'PHP',
      {
        category: 'http',
        data: { url: '/a', 'http.request.method': 'PUT', 'http.response.status_code': 302 },
      },
      'http',
      'PUT /a [302]',
      'success',
    ],
    [
      'Ruby',
      { category: 'net.http', data: { method: 'GET', url: '/a', status: 502 } },
      'http',
      'GET /a [502]',
      'danger',
    ],
    [
      'a request without an answer',
      { category: 'fetch', level: 'error', data: { method: 'GET', url: '/a' } },
      'http',
      'GET /a',
      'danger',
    ],
    [
      'an aborted request',
      { category: 'xhr', data: { method: 'GET', url: '/a', status_code: 0 } },
      'http',
      'GET /a [0]',
      'danger',
    ],
    [
      'a request in words',
      { type: 'http', message: 'asked the bank', data: { status_code: 200 } },
      'http',
      'asked the bank [200]',
      'success',
    ],
    [
      'navigation',
      { category: 'navigation', data: { from: '/cart', to: '/pay' } },
      'navigation',
      '/cart → /pay',
      'neutral',
    ],
    ['the first page', { type: 'navigation', data: { to: '/cart' } }, 'navigation', '→ /cart', 'neutral'],
    [
      'a screen of Android',
      { type: 'navigation', category: 'app.screen', data: { screen: 'Main', state: 'created' } },
      'navigation',
      'screen: Main, state: created',
      'neutral',
    ],
    ['a click', { category: 'ui.click', message: 'button#buy' }, 'ui', 'button#buy', 'neutral'],
    ['the console', { category: 'console', level: 'warning', message: 'slow' }, 'log', 'slow', 'warning'],
    [
      'a logger of Python',
      { type: 'log', category: 'django.db', level: 'error', message: 'gone' },
      'log',
      'gone',
      'danger',
    ],
    ['a query', { category: 'query', message: 'SELECT 1' }, 'query', 'SELECT 1', 'neutral'],
    [
      'another error',
      { category: 'sentry.event', level: 'error', message: 'TypeError' },
      'error',
      'TypeError',
      'danger',
    ],
    [
      'a word that only begins like one',
      { category: 'network', message: 'offline' },
      'other',
      'offline',
      'neutral',
    ],
    ['nothing at all', {}, 'other', '', 'neutral'],
  ])('%s', (_, crumb, kind, text, result) => {
    expect(lineOf(crumb)).toEqual([kind, text, result]);
  });

  it('leaves nothing out: what the line does not show is the rest', () => {
    const data = { method: 'POST', url: '/a', status_code: 500, response_body_size: 12 };
    expect(readBreadcrumb({ category: 'fetch', data, message: 'retried' }).rest).toEqual([
      ['message', 'retried'],
      ['response_body_size', 12],
    ]);
    expect(readBreadcrumb({ category: 'console', message: 'a', data: { logger: 'x' } }).rest).toEqual([
      ['logger', 'x'],
    ]);
  });

  it('does not take for a status what is none', () => {
    for (const status of [-1, 1.5, 70_000, 'done', null, {}]) {
      const line = readBreadcrumb({ category: 'fetch', data: { url: '/a', status_code: status } });
      expect([line.status, line.rest.length]).toEqual(['', 1]);
    }
  });
});
