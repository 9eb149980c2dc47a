import { container, FIXED, json, leaf, type SchemaNode } from './schema-node.ts';
import { VALUE_TYPE } from './value-types.ts';

/** Whether an address stands there by definition. */
const IP_ATTRIBUTE =
  /^(?:client\.address|user\.ip(?:_address)?|http\.client_ip|net\.(?:sock\.)?peer\.ip|net\.sock\.peer\.addr|network\.peer\.address|enduser\.ip)$/;
/** What a model was asked and answered: read by people, so that only parts of it are hidden. Source: relay-pii/src/convert.rs. */
const CONVERSATION =
  /^(?:gen_ai\.(?:prompt|(?:input|output|request)\.messages|tool\.(?:call\.(?:arguments|result)|input|output|definitions|name)|response\.(?:tool_calls|text|object)|request\.available_tools)|mcp\.(?:prompt\.result|tool\.result\.content))$/;
/** What SDKs write about themselves and about code. */
const TECHNICAL =
  /^(?:sentry\.(?!message\.parameter)|gen_ai\.|ai\.|code\.|telemetry\.|service\.|otel\.|os\.|browser\.|device\.|runtime\.|process\.runtime\.|k8s\.|cloud\.|container\.|faas\.|thread\.)/;
/** Addresses and statements: parts of them are secret, but they are no secrets. */
const DESCRIPTIVE =
  /^(?:url\.|http\.(?:url|target|route)|db\.|messaging\.|rpc\.|server\.|host\.|network\.|net\.)/;

const ip = leaf('full', { isIp: true });
const conversation = leaf('text');
const technical = json('keyed', { pii: 'maybe' });
const descriptive = json('keyed');
const custom = json('full');

/** Attribute names whose schema is cached. */
const NAMES_MAX = 10_000;
const decided = new Map<string, SchemaNode>();

/** How an attribute of a span, log or metric is treated, by its name. */
export function attributeNode(name: string): SchemaNode {
  const known = decided.get(name);
  if (known !== undefined) return known;
  const node = IP_ATTRIBUTE.test(name)
    ? ip
    : CONVERSATION.test(name)
      ? conversation
      : TECHNICAL.test(name)
        ? technical
        : DESCRIPTIVE.test(name)
          ? descriptive
          : custom;
  if (decided.size < NAMES_MAX && name.length <= 256) decided.set(name, node);
  return node;
}

const attributes: SchemaNode = { ...FIXED, pii: 'true', shape: 'attributes', empty: 'map' };

const links: SchemaNode = json('secrets', { pii: 'maybe', fields: new Map([['attributes', attributes]]) });

/** Source: relay-event-schema/src/protocol/span.rs and span_v2.rs. */
export const SPAN = container(
  {
    description: leaf('quiet', { pii: 'maybe' }),
    name: leaf('quiet', { pii: 'maybe' }),
    data: attributes,
    attributes,
    tags: json('keyed', { pii: 'maybe' }),
    sentry_tags: container({ 'user.ip': leaf('keyed', { isIp: true }) }),
    links,
  },
  { types: VALUE_TYPE.span, empty: 'map' },
);

/** Source: relay-event-schema/src/protocol/ourlog.rs. */
export const LOG = container(
  { body: leaf('text', { empty: 'text' }), attributes },
  { types: VALUE_TYPE.log, empty: 'map' },
);

/** Source: relay-event-schema/src/protocol/trace_metric.rs. */
export const METRIC = container({ attributes, tags: attributes }, { types: VALUE_TYPE.metric, empty: 'map' });

/** Of a profile only what tells of people; its frames and samples are code. */
export const PROFILE = container(
  {
    device: json('keyed', { pii: 'maybe' }),
    transaction_metadata: json('keyed', { pii: 'maybe' }),
    transaction_tags: json('keyed'),
    tags: json('keyed'),
    measurements: FIXED,
  },
  { types: VALUE_TYPE.profile, empty: 'map' },
);

export const ATTACHMENTS = container(
  { filename: leaf('keyed', { empty: 'text' }) },
  { types: VALUE_TYPE.attachments },
);
