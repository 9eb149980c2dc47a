import { randomUUID } from 'node:crypto';

export type Dsn = { origin: string; publicKey: string; projectId: string };

/** `http://<key>@host:port/<project>`. Throws when it is none. */
export function parseDsn(dsn: string): Dsn {
  const url = new URL(dsn);
  return { origin: url.origin, publicKey: url.username, projectId: url.pathname.slice(1) };
}

export const newEventId = (): string => randomUUID().replaceAll('-', '');

export const newSpanId = (): string => newEventId().slice(0, 16);

export type EnvelopeItem = { type: string; payload: Uint8Array | string; headers?: Record<string, unknown> };

/** The bytes of an envelope; every item says its length. */
export function buildEnvelope(
  header: Readonly<Record<string, unknown>>,
  items: readonly EnvelopeItem[],
): Buffer {
  const parts: Buffer[] = [Buffer.from(`${JSON.stringify(header)}\n`)];
  for (const item of items) {
    const payload = Buffer.from(item.payload);
    const itemHeader = { type: item.type, length: payload.length, ...item.headers };
    parts.push(Buffer.from(`${JSON.stringify(itemHeader)}\n`), payload, Buffer.from('\n'));
  }
  return Buffer.concat(parts);
}

/** An envelope with one event, as SDKs send it. */
export function eventEnvelope(event: Readonly<Record<string, unknown>> & { event_id: string }): Buffer {
  const header = { event_id: event.event_id, sent_at: new Date().toISOString() };
  return buildEnvelope(header, [{ type: 'event', payload: JSON.stringify(event) }]);
}

export const authHeader = (dsn: Dsn): string =>
  `Sentry sentry_version=7, sentry_key=${dsn.publicKey}, sentry_client=errata-test/1.0`;

/** POSTs to the envelope endpoint of a DSN's project, with the key in `X-Sentry-Auth` unless told otherwise. */
export async function postEnvelope(
  dsn: Dsn,
  body: Uint8Array,
  options: { headers?: Readonly<Record<string, string>>; auth?: boolean; query?: string } = {},
): Promise<{ status: number; headers: Headers; body: unknown }> {
  const response = await fetch(`${dsn.origin}/api/${dsn.projectId}/envelope/${options.query ?? ''}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-sentry-envelope',
      ...(options.auth === false ? {} : { 'x-sentry-auth': authHeader(dsn) }),
      ...options.headers,
    },
    body: new Uint8Array(body),
  });
  const text = await response.text();
  let parsed: unknown = text;
  try {
    parsed = JSON.parse(text);
  } catch {}
  return { status: response.status, headers: response.headers, body: parsed };
}
