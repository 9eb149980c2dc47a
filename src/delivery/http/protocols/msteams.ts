import { type DestinationProtocol, jsonField, postJson, textOrNull } from '../destination-protocol.ts';

/** Source: https://learn.microsoft.com/connectors/teams/#microsoft-teams-webhook */
export const msteams: DestinationProtocol = {
  name: 'Microsoft Teams',
  request: ({ secret }, { body }) => postJson(secret.url ?? '', body),
  explain: ({ body }) => textOrNull(jsonField(body, 'error', 'message')),
};
