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
    how: 'Errata sends signed JSON in Sentry’s webhook format to a URL of your choice.',
    fields: [
      address('URL', 'The URL to send requests to.', 'https://hooks.example.com/errata'),
      {
        key: 'signingSecret',
        label: 'Signing secret',
        hint: 'Used to verify the request signature. Leave empty to generate a secret, which is shown only once.',
        placeholder: '',
        isSecret: true,
        isRequired: false,
        check: checkSigningSecret,
      },
    ],
  },
  slack: {
    name: 'Slack',
    how: 'Create an app with an incoming webhook for a channel and copy the webhook URL.',
    fields: [
      address(
        'Webhook URL',
        'From your app’s Incoming Webhooks page.',
        'https://hooks.slack.com/services/T…/B…/…',
      ),
    ],
  },
  discord: {
    name: 'Discord',
    how: 'In the channel settings, under Integrations, create a webhook and copy its URL.',
    fields: [
      address(
        'Webhook URL',
        'From the channel’s Integrations settings.',
        'https://discord.com/api/webhooks/…/…',
      ),
    ],
  },
  msteams: {
    name: 'Microsoft Teams',
    how: 'In the channel’s Workflows, choose “Post to a channel when a webhook request is received” and copy its URL.',
    fields: [
      address('Workflow URL', 'From the channel’s workflow.', 'https://….logic.azure.com/workflows/…'),
    ],
  },
  pagerduty: {
    name: 'PagerDuty',
    how: 'Add the Events API v2 integration to a service and copy its integration key.',
    fields: [
      {
        key: 'routingKey',
        label: 'Integration key',
        hint: '32 letters and digits.',
        placeholder: '',
        isSecret: true,
        isRequired: true,
        check: checkMatch(/^[A-Za-z0-9]{32}$/, 'An integration key must be 32 letters and digits'),
      },
      server(
        'Use https://events.eu.pagerduty.com for accounts in the EU service region.',
        'https://events.pagerduty.com',
      ),
    ],
  },
  telegram: {
    name: 'Telegram',
    how: 'Create a bot with @BotFather, add it to the chat, and copy its token and the chat ID.',
    fields: [
      {
        key: 'botToken',
        label: 'Bot token',
        hint: 'From @BotFather.',
        placeholder: '123456789:AA…',
        isSecret: true,
        isRequired: true,
        check: checkMatch(/^\d{3,20}:[\w-]{20,100}$/, 'A bot token looks like 123456789:AA…'),
      },
      {
        key: 'chatId',
        label: 'Chat',
        hint: 'Chat ID, or @name of a public channel.',
        placeholder: '-1001234567890',
        isSecret: false,
        isRequired: true,
        check: checkMatch(
          /^(-?\d{1,20}|@[A-Za-z]\w{3,63})$/,
          'Enter a chat ID, or @name of a public channel',
        ),
      },
      {
        key: 'topicId',
        label: 'Topic',
        hint: 'Topic ID, for groups with topics.',
        placeholder: '',
        isSecret: false,
        isRequired: false,
        check: checkMatch(/^\d{1,15}$/, 'A topic ID must be a number'),
      },
      server('Change only for your own Bot API server.', 'https://api.telegram.org'),
    ],
  },
  mattermost: {
    name: 'Mattermost',
    how: 'Under Integrations, add an incoming webhook for a channel and copy its URL.',
    fields: [
      address('Webhook URL', 'From the Integrations page.', 'https://chat.example.com/hooks/…'),
      {
        key: 'channel',
        label: 'Channel',
        hint: 'To override the webhook’s channel: the channel name from its URL, or @name for a person.',
        placeholder: 'town-square',
        isSecret: false,
        isRequired: false,
        check: checkMatch(
          /^@?[a-z0-9][a-z0-9._-]{0,63}$/,
          'Enter the channel name from its URL, such as town-square',
        ),
      },
    ],
  },
  google_chat: {
    name: 'Google Chat',
    how: 'In a space, under Apps & integrations, add a webhook and copy its URL.',
    fields: [
      address(
        'Webhook URL',
        'From the space’s Apps & integrations page.',
        'https://chat.googleapis.com/v1/spaces/…/messages?key=…&token=…',
      ),
    ],
  },
  ntfy: {
    name: 'ntfy',
    how: 'Choose a topic that is hard to guess and subscribe to it in the app.',
    fields: [
      {
        key: 'topic',
        label: 'Topic',
        hint: 'Anyone who knows the topic can read and post to it, unless the server requires a token.',
        placeholder: '',
        isSecret: true,
        isRequired: true,
        check: checkMatch(/^[-_A-Za-z0-9]{1,64}$/, 'A topic can have up to 64 letters, digits, -, and _'),
      },
      {
        key: 'token',
        label: 'Access token',
        hint: 'Only for topics that require one.',
        placeholder: 'tk_…',
        isSecret: true,
        isRequired: false,
        check: checkMatch(/^[\x21-\x7e]{1,200}$/, 'A token cannot contain spaces'),
      },
      server('Change for your own server.', 'https://ntfy.sh'),
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
