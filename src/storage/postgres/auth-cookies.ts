/** The value of a cookie in the headers of a request; empty when there is none, or none that can be read. */
export function readCookie(headers: Headers, name: string): string {
  for (const pair of (headers.get('cookie') ?? '').split(';')) {
    const equals = pair.indexOf('=');
    if (pair.slice(0, equals).trim() !== name) continue;
    try {
      return decodeURIComponent(pair.slice(equals + 1).trim());
    } catch {
      return '';
    }
  }
  return '';
}
