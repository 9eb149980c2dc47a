import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';

export type Asked = { status: number; headers: IncomingHttpHeaders; body: string; ms: number };

/** One request on a connection of its own, from an address of this machine. Rejects when no answer comes in time. */
export function askFrom(
  localAddress: string | undefined,
  url: string,
  options: {
    method?: string;
    headers?: Readonly<Record<string, string>>;
    body?: string | Uint8Array;
    timeoutMs?: number;
  } = {},
): Promise<Asked> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const request = httpRequest(url.replace('//localhost', '//127.0.0.1'), {
      agent: false,
      method: options.method ?? 'GET',
      headers: options.headers ?? {},
      ...(localAddress && { localAddress }),
    });
    const timer = setTimeout(
      () => request.destroy(new Error(`${url} gave no answer in time`)),
      options.timeoutMs ?? 10_000,
    );
    request.on('response', (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk;
      });
      response.on('end', () => {
        clearTimeout(timer);
        const { statusCode = 0, headers } = response;
        resolve({ status: statusCode, headers, body, ms: performance.now() - startedAt });
      });
      response.on('error', reject);
    });
    request.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    request.end(options.body);
  });
}
