import { checkAddress, checkMatch, checkServer, checkSigningSecret } from './check-field.ts';

/** One thing to fill in. */
export type DestinationField = {
  key: string;
  label: string;
  hint: string;
  placeholder: string;
  /** Hidden once it is saved: whoever knows it can post. */
  isSecret: boolean;
  isRequired: boolean;
  /** What stands for an empty one; absent for nothing. */
  standard?: string;
  /** The value as it is kept. Throws Error with a sentence. */
  check: (value: string) => string;
};

export type DestinationKindInfo = {
  /** As people know it. */
  name: string;
  /** What is to be done there, in a sentence. */
  how: string;
  fields: readonly DestinationField[];
};

const address = (label: string, hint: string, placeholder: string): DestinationField => ({
  key: 'url',
  label,
  hint,
  placeholder,
  isSecret: true,
  isRequired: true,
  check: checkAddress,
});

const server = (hint: string, standard: string): DestinationField => ({
  key: 'server',
  label: 'Server',
  hint,
  placeholder: standard,
  isSecret: false,
  isRequired: false,
  standard,
  check: checkServer,
});

/** What each kind is set to: `secret` fields are encrypted, the others everybody of the organization may see. */
export const DESTINATION_KINDS_FIELDS: Readonly<Record<DestinationKind, DestinationKindInfo>> = {
  webhook: {
    name: 'Webhook',
    how: 'Errata posts JSON in the shape of Sentry’s webhooks to an address of yours, signed.',
    fields: [
      address('Address', 'Where to post.', 'https://hooks.example.com/errata'),
      {
        key: 'signingSecret',
        label: 'Signing secret',
        hint: 'Your program checks the signature with it. Leave it empty, and one is made and shown once.',
        placeholder: '',
        isSecret: true,
        isRequired: false,
        check: checkSigningSecret,
      },
    ],
  },
  slack: {
    name: 'Slack',
    how: 'Make an app with an incoming webhook for a channel, and copy its address.',
    fields: [
      address(
        'Webhook address',
        'From Incoming Webhooks of your app.',
        'https://hooks.slack.com/services/T…/B…/…',
      ),
    ],
  },
  discord: {
    name: 'Discord',
    how: 'In the settings of a channel, under Integrations, make a webhook and copy its address.',
    fields: [
      address('Webhook address', 'From Integrations of the channel.', 'https://discord.com/api/webhooks/…/…'),
    ],
  },
  msteams: {
    name: 'Microsoft Teams',
    how: 'In Workflows of a channel, choose “Post to a channel when a webhook request is received”, and copy its address.',
    fields: [
      address(
        'Workflow address',
        'From the workflow of the channel.',
        'https://….logic.azure.com/workflows/…',
      ),
    ],
  },
  pagerduty: {
    name: 'PagerDuty',
    how: 'Add the integration Events API v2 to a service, and copy its integration key.',
    fields: [
      {
        key: 'routingKey',
        label: 'Integration key',
        hint: '32 letters and digits.',
        placeholder: '',
        isSecret: true,
        isRequired: true,
        check: checkMatch(/^[A-Za-z0-9]{32}$/, 'An integration key has 32 letters and digits'),
      },
      server(
        'https://events.eu.pagerduty.com for an account of the EU service region.',
        'https://events.pagerduty.com',
      ),
    ],
  },
  telegram: {
    name: 'Telegram',
    how: 'Make a bot with @BotFather, add it to the chat, and copy its token and the id of the chat.',
    fields: [
      {
        key: 'botToken',
        label: 'Token of the bot',
        hint: 'As @BotFather tells it.',
        placeholder: '123456789:AA…',
        isSecret: true,
        isRequired: true,
        check: checkMatch(/^\d{3,20}:[\w-]{20,100}$/, 'A token of a bot looks like 123456789:AA…'),
      },
      {
        key: 'chatId',
        label: 'Chat',
        hint: 'Its number, or @name of a public channel.',
        placeholder: '-1001234567890',
        isSecret: false,
        isRequired: true,
        check: checkMatch(
          /^(-?\d{1,20}|@[A-Za-z]\w{3,63})$/,
          'A chat is a number, or @name of a public channel',
        ),
      },
      {
        key: 'topicId',
        label: 'Topic',
        hint: 'The number of a topic of a group that has them.',
        placeholder: '',
        isSecret: false,
        isRequired: false,
        check: checkMatch(/^\d{1,15}$/, 'A topic is a number'),
      },
      server('Another one only for a Bot API server of your own.', 'https://api.telegram.org'),
    ],
  },
  mattermost: {
    name: 'Mattermost',
    how: 'Under Integrations, add an incoming webhook for a channel, and copy its address.',
    fields: [
      address('Webhook address', 'From Integrations.', 'https://chat.example.com/hooks/…'),
      {
        key: 'channel',
        label: 'Channel',
        hint: 'Another one than the webhook’s, by the name in its address; @name for a person.',
        placeholder: 'town-square',
        isSecret: false,
        isRequired: false,
        check: checkMatch(
          /^@?[a-z0-9][a-z0-9._-]{0,63}$/,
          'A channel is named as in its address: town-square',
        ),
      },
    ],
  },
  google_chat: {
    name: 'Google Chat',
    how: 'In a space, under Apps & integrations, add a webhook and copy its address.',
    fields: [
      address(
        'Webhook address',
        'From Apps & integrations of the space.',
        'https://chat.googleapis.com/v1/spaces/…/messages?key=…&token=…',
      ),
    ],
  },
  ntfy: {
    name: 'ntfy',
    how: 'Choose a topic that nobody guesses, and subscribe to it with the app.',
    fields: [
      {
        key: 'topic',
        label: 'Topic',
        hint: 'Whoever knows it can read and post, unless the server asks for a token.',
        placeholder: '',
        isSecret: true,
        isRequired: true,
        check: checkMatch(/^[-_A-Za-z0-9]{1,64}$/, 'A topic has up to 64 letters, digits, - and _'),
      },
      {
        key: 'token',
        label: 'Access token',
        hint: 'Only for a topic that asks for one.',
        placeholder: 'tk_…',
        isSecret: true,
        isRequired: false,
        check: checkMatch(/^[\x21-\x7e]{1,200}$/, 'A token has no spaces'),
      },
      server('Another one for a server of your own.', 'https://ntfy.sh'),
    ],
  },
};

export const DESTINATION_KINDS = [
  'webhook',
  'slack',
  'discord',
  'msteams',
  'pagerduty',
  'telegram',
  'mattermost',
  'google_chat',
  'ntfy',
] as const;
export type DestinationKind = (typeof DESTINATION_KINDS)[number];
