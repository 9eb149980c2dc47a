import type { DestinationKind } from './destination-kinds.ts';

/** What is to be done at the other end before the form can be filled in, in the words that stand there. */
export const DESTINATION_STEPS: Readonly<Record<DestinationKind, readonly string[]>> = {
  webhook: [
    'Enter the address of your program below.',
    'Leave the signing secret empty: one is made, and shown once.',
    'Give that secret to your program. It checks the header Sentry-Hook-Signature with it.',
  ],
  slack: [
    'At api.slack.com/apps choose “Create New App”, “From scratch”, and your workspace.',
    'Open “Incoming Webhooks” and switch it on.',
    'Choose “Add New Webhook to Workspace”, the channel, and “Allow”.',
    'Copy the Webhook URL.',
  ],
  discord: [
    'In the channel open “Edit Channel”, “Integrations”, “Webhooks”.',
    'Choose “New Webhook” and name it.',
    'Choose “Copy Webhook URL”.',
  ],
  msteams: [
    'At the channel open “•••”, “Workflows”, and choose the template “Send webhook alerts to a channel”.',
    'Sign in, choose team and channel, and “Add workflow”.',
    'Copy the address that is shown.',
  ],
  pagerduty: [
    'Open the service, “Integrations”, “Add an integration”.',
    'Choose “Events API V2”, and “Add”.',
    'Copy the Integration Key.',
  ],
  telegram: [
    'Write /newbot to @BotFather, and copy the token that it gives.',
    'Add the bot to the group or channel; in a channel as an administrator that may post.',
    'Write something there, open https://api.telegram.org/bot<token>/getUpdates, and read chat.id: groups have a negative number.',
  ],
  mattermost: [
    'Open the product menu, “Integrations”, “Incoming Webhooks”, “Add Incoming Webhook”.',
    'Choose the channel, and “Save”.',
    'Copy the address. A server of your own network has to be allowed by whoever runs Errata: ERRATA_ALLOW_INSIDE_ADDRESSES.',
  ],
  google_chat: [
    'At the space open its menu, “Apps & integrations”, “Webhooks”, “Add webhook”.',
    'Name it, and “Save”.',
    'Copy its link from “⋮”.',
  ],
  ntfy: [
    'Choose a topic that nobody guesses: whoever knows it can read it.',
    'Subscribe to it in the app, or at ntfy.sh/<topic>.',
    'If the topic asks for a token, make one under “Account”, “Access tokens”.',
  ],
};
