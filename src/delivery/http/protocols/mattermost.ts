import { type DestinationProtocol, jsonField, postJson, textOrNull } from '../destination-protocol.ts';

/** Source: https://developers.mattermost.com/integrate/webhooks/incoming/ */
export const mattermost: DestinationProtocol = {
  name: 'Mattermost',
  request: ({ config, secret }, { body }) =>
    postJson(secret.url ?? '', { ...(config.channel && { channel: config.channel }), ...body }),
  explain: ({ body }) => textOrNull(jsonField(body, 'message')),
};
