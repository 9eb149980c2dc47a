/** The fields of Sentry's web API that the tests look at. */
export type ApiIssue = {
  id: string;
  shortId: string;
  title: string;
  culprit: string;
  level: string;
  status: string;
  substatus: string | null;
  /** A number in a string, as Sentry answers it. */
  count: string;
  /** In lists: of all that was ever counted, where `count` is of the range. */
  lifetime?: { count: string } | null;
  firstSeen: string;
  lastSeen: string;
  permalink: string;
  project: { id: string; slug: string };
};

export type ApiFrame = {
  filename: string | null;
  absPath: string | null;
  module: string | null;
  function: string | null;
  lineNo: number | null;
  colNo: number | null;
  inApp: boolean | null;
  /** Pairs of line number and text. */
  context: [number, string | null][];
  vars: Record<string, unknown> | null;
};

export type ApiException = {
  type: string | null;
  value: string | null;
  stacktrace: { frames: ApiFrame[] } | null;
};

export type ApiEvent = {
  eventID: string;
  groupID: string | null;
  title: string;
  message: string;
  culprit: string | null;
  platform: string;
  dateCreated: string;
  tags: { key: string; value: string }[];
  contexts: Record<string, unknown>;
  user: Record<string, unknown> | null;
  sdk: { name: string; version: string } | null;
  entries: { type: string; data: Record<string, unknown> }[];
  nextEventID: string | null;
  previousEventID: string | null;
};

export type ApiAnswer = { status: number; headers: Headers; body: unknown };

export type ApiClient = {
  /** Any request; the body as parsed JSON, or as text when it is none. */
  request(method: string, path: string, body?: unknown): Promise<ApiAnswer>;
  /** Throws unless the answer is 200. */
  get<T>(path: string): Promise<T>;
  /** Follows the `Link` header to the end. */
  list<T>(path: string): Promise<T[]>;
};

export function createApiClient(url: string, token: string | null): ApiClient {
  const request = async (method: string, path: string, body?: unknown): Promise<ApiAnswer> => {
    const response = await fetch(path.startsWith('http') ? path : `${url}${path}`, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      redirect: 'manual',
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parseJson(text) };
  };
  const expectOk = (answer: ApiAnswer, path: string): ApiAnswer => {
    if (answer.status === 200) return answer;
    throw new Error(`GET ${path} answered ${answer.status}: ${JSON.stringify(answer.body).slice(0, 500)}`);
  };
  return {
    request,
    get: async <T>(path: string) => expectOk(await request('GET', path), path).body as T,
    list: async <T>(path: string) => {
      const rows: T[] = [];
      for (let next: string | null = path; next !== null; ) {
        const answer: ApiAnswer = expectOk(await request('GET', next), next);
        rows.push(...(answer.body as T[]));
        next = findNextPage(answer.headers.get('link'));
      }
      return rows;
    },
  };
}

/** The address behind `rel="next"; results="true"` of a `Link` header; null on the last page. */
export function findNextPage(link: string | null): string | null {
  for (const part of link?.split(/,\s*(?=<)/) ?? []) {
    if (part.includes('rel="next"') && part.includes('results="true"')) {
      return /<([^>]+)>/.exec(part)?.[1] ?? null;
    }
  }
  return null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
