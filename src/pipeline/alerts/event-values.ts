import type { DigestedEvent, Frame, Stacktrace } from '#protocol/event.ts';
import type { AlertAttribute } from '#protocol/event-filter.ts';

/** What filters of events look at; of an event that was stored as well as of one that is being digested. */
export type AlertEvent = Pick<
  DigestedEvent,
  'level' | 'environment' | 'title' | 'message' | 'tags' | 'payload'
>;

/** Characters that are looked at of one attribute, those of the innermost calls first. */
const CHARACTERS_MAX = 100_000;

/** In lower case; empty for what the event does not have. */
export function attributeValues(event: AlertEvent, attribute: AlertAttribute): readonly string[] {
  const values: string[] = [];
  let left = CHARACTERS_MAX;
  for (const value of readAttribute(event, attribute)) {
    if (value === null || value === undefined || value === '') continue;
    const text = String(value).slice(0, left).toLowerCase();
    values.push(text);
    left -= text.length;
    if (left <= 0) break;
  }
  return values;
}

/** As `attributeValues`; names of tags are the same in either case. */
export function tagValues({ tags }: AlertEvent, key: string): readonly string[] {
  const name = key.toLowerCase();
  return tags.flatMap(([each, value]) =>
    each.toLowerCase() === name && value !== '' ? value.toLowerCase() : [],
  );
}

type Scalar = string | number | boolean | null | undefined;

function readAttribute(event: AlertEvent, attribute: AlertAttribute): Iterable<Scalar> {
  const { payload } = event;
  switch (attribute) {
    case 'message':
      return [event.message, event.title];
    case 'platform':
      return [payload.platform];
    case 'environment':
      return [event.environment];
    case 'type':
      return [payload.type];
    case 'error.handled':
    case 'error.unhandled':
      return exceptionsOf(event).flatMap(({ mechanism }) =>
        typeof mechanism?.handled === 'boolean' ? mechanism.handled === (attribute === 'error.handled') : [],
      );
    case 'exception.type':
      return exceptionsOf(event).map(({ type }) => type);
    case 'exception.value':
      return exceptionsOf(event).map(({ value }) => value);
    case 'user.id':
    case 'user.email':
    case 'user.username':
    case 'user.ip_address':
      return [payload.user?.[USER_FIELDS[attribute]]];
    case 'http.method':
      return [payload.request?.method];
    case 'http.url':
      return [payload.request?.url];
    case 'http.status_code':
      return ofContext(event, 'response', 'status_code');
    case 'sdk.name':
      return [payload.sdk?.name];
    case 'stacktrace.code':
      return innermostFrames(event).flatMap((frame) => [
        frame.context_line,
        ...(frame.pre_context ?? []),
        ...(frame.post_context ?? []),
      ]);
    case 'stacktrace.module':
    case 'stacktrace.filename':
    case 'stacktrace.abs_path':
    case 'stacktrace.package':
      return innermostFrames(event).map((frame) => frame[FRAME_FIELDS[attribute]]);
    case 'device.screen_width_pixels':
    case 'device.screen_height_pixels':
    case 'device.screen_dpi':
    case 'device.screen_density':
      return ofContext(event, 'device', attribute.slice('device.'.length));
    case 'app.in_foreground':
      return ofContext(event, 'app', 'in_foreground');
    case 'os.distribution_name':
    case 'os.distribution_version':
      return ofContext(event, 'os', attribute.slice('os.'.length));
  }
}

const USER_FIELDS = {
  'user.id': 'id',
  'user.email': 'email',
  'user.username': 'username',
  'user.ip_address': 'ip_address',
} as const;

const FRAME_FIELDS = {
  'stacktrace.module': 'module',
  'stacktrace.filename': 'filename',
  'stacktrace.abs_path': 'abs_path',
  'stacktrace.package': 'package',
} as const;

const exceptionsOf = ({ payload }: AlertEvent) => payload.exception?.values ?? [];

function innermostFrames(event: AlertEvent): readonly Frame[] {
  const own = event.payload.stacktrace;
  const stacks = own ? [own] : exceptionsOf(event).map(({ stacktrace }) => stacktrace);
  return stacks
    .filter((stack): stack is Stacktrace => Boolean(stack))
    .toReversed()
    .flatMap(({ frames }) => frames.toReversed());
}

/** The distribution of a Linux stands in an object of its own, also flattened by some SDKs. */
function ofContext({ payload }: AlertEvent, name: string, field: string): readonly Scalar[] {
  const context = payload.contexts?.[name];
  if (!context) return [];
  const value = Object.hasOwn(context, field) ? context[field] : nestedValue(context, field);
  return [
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null,
  ];
}

function nestedValue(context: Readonly<Record<string, unknown>>, field: string): unknown {
  const [outer = '', inner = ''] = field.split('_');
  const object = Object.hasOwn(context, outer) ? context[outer] : null;
  return typeof object === 'object' && object !== null && Object.hasOwn(object, inner)
    ? Reflect.get(object, inner)
    : null;
}
