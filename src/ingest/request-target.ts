export type RequestTarget =
  | { kind: 'found' /** Path and query. */; target: string; host: string | undefined }
  | { kind: 'refused'; status: 400 | 421; detail: string };

const HOST = /^[a-z0-9._~!$&'()*+,;=%-]*(:\d*)?$|^\[[0-9a-f:.]+\](:\d*)?$/i;
const ABSOLUTE = /^(https?):\/\/([^/?#]*)([^#]*)$/i;

/**
 * What a request line asks for. The absolute form names a host as well, which has to be the one of the `Host` header or
 * the public one: the address of another server is never answered, and never led to.
 * Source: RFC 9112, section 3.2; RFC 9110, section 7.4.
 */
export function readRequestTarget(line: string, host: string | undefined, publicUrl: string): RequestTarget {
  if (host !== undefined && !HOST.test(host))
    return reject(400, 'The Host header is no host: send one name and a port');
  if (line.startsWith('/')) return { kind: 'found', target: line, host };
  const [, scheme = '', authority = '', rest = ''] = ABSOLUTE.exec(line) ?? [];
  if (authority === '' || !HOST.test(authority)) {
    return reject(400, 'The request line names no path: send GET /path HTTP/1.1');
  }
  const asked = hostOf(scheme, authority);
  if (asked !== hostOf(scheme, host ?? '') && asked !== new URL(publicUrl).host) {
    return reject(
      421,
      'The request is for another host than this server: check the address and the Host header',
    );
  }
  return { kind: 'found', target: rest.startsWith('/') ? rest : `/${rest}`, host: authority };
}

/** In lower case and without the port that the scheme has anyway; empty when it is none. */
const hostOf = (scheme: string, authority: string): string =>
  URL.parse(`${scheme}://${authority}`)?.host ?? '';

const reject = (status: 400 | 421, detail: string): RequestTarget => ({ kind: 'refused', status, detail });
