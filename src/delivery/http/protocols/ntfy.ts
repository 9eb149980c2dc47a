import { type DestinationProtocol, jsonField, postJson, textOrNull } from '../destination-protocol.ts';

/** Source: https://docs.ntfy.sh/publish/#publish-as-json */
export const ntfy: DestinationProtocol = {
  name: 'ntfy',
  request: ({ config, secret }, { body }) =>
    postJson(
      new URL('/', config.server).href,
      { topic: secret.topic, ...body },
      secret.token ? { authorization: `Bearer ${secret.token}` } : {},
    ),
  explain: ({ body }) => textOrNull(jsonField(body, 'error')),
};
