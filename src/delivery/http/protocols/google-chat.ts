import { type DestinationProtocol, jsonField, postJson, textOrNull } from '../destination-protocol.ts';

/** Source: https://developers.google.com/workspace/chat/quickstart/webhooks */
export const googleChat: DestinationProtocol = {
  name: 'Google Chat',
  request: ({ secret }, { body }) => postJson(secret.url ?? '', body),
  explain: ({ body }) => textOrNull(jsonField(body, 'error', 'message')),
};
