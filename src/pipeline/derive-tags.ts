import type { NormalizedEvent, UserInfo } from '#protocol/event.ts';
import { mainException } from './main-exception.ts';
import { TAG_VALUE_CHARS_MAX } from './normalize/limits.ts';
import { cutText } from './normalize/safe-text.ts';
import type { Tag } from './normalize/tags.ts';

/** All tags of an event, each key once: those of its fields win over the client's, the client's over guesses. */
export function deriveTags(event: NormalizedEvent): Tag[] {
  const tags = new Map<string, string>();
  addTag(tags, 'level', event.level);
  addTag(tags, 'environment', event.environment);
  addTag(tags, 'release', event.release);
  addTag(tags, 'dist', event.dist);
  addTag(tags, 'transaction', event.transaction);
  addTag(tags, 'server_name', event.server_name);
  addTag(tags, 'logger', event.logger);
  addTag(tags, 'user', userTag(event.user));
  for (const [key, value] of event.tags ?? []) addTag(tags, key, value);
  addTag(tags, 'url', event.request?.url);
  addMechanism(tags, event);
  addContexts(tags, event);
  return [...tags];
}

/** What tells users apart: the first that is known of id, username, email and address. */
function userTag(user: UserInfo | null | undefined): string | undefined {
  if (!user) return undefined;
  if (user.id) return `id:${user.id}`;
  if (user.username) return `username:${user.username}`;
  if (user.email) return `email:${user.email}`;
  return user.ip_address ? `ip:${user.ip_address}` : undefined;
}

function addMechanism(tags: Map<string, string>, event: NormalizedEvent): void {
  const mechanism =
    mainException(event)?.mechanism ??
    event.exception?.values.findLast((value) => value.mechanism)?.mechanism;
  if (!mechanism) return;
  addTag(tags, 'mechanism', mechanism.type);
  if (mechanism.handled != null) addTag(tags, 'handled', mechanism.handled ? 'yes' : 'no');
}

function addContexts(tags: Map<string, string>, event: NormalizedEvent): void {
  for (const key of ['browser', 'os', 'client_os', 'runtime']) {
    const context = event.contexts?.[key];
    const name = textOf(context?.name);
    if (name === undefined) continue;
    const version = textOf(context?.version);
    addTag(tags, key, version === undefined ? name : `${name} ${version}`);
    addTag(tags, `${key}.name`, name);
  }
  const device = event.contexts?.device;
  addTag(tags, 'device', textOf(device?.model) ?? textOf(device?.family));
  addTag(tags, 'device.family', textOf(device?.family));
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined;

function addTag(tags: Map<string, string>, key: string, value: string | null | undefined): void {
  if (!value || tags.has(key)) return;
  const oneLine = (/[\r\n\t]/.test(value) ? value.replaceAll(/[\r\n\t]+/g, ' ') : value).trim();
  if (oneLine !== '') tags.set(key, cutText(oneLine, TAG_VALUE_CHARS_MAX));
}
