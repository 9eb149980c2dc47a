import {
  type DestinationProtocol,
  jsonField,
  postJson,
  secondsToMs,
  textOrNull,
} from '../destination-protocol.ts';

/** Source: https://discord.com/developers/docs/resources/webhook#execute-webhook */
export const discord: DestinationProtocol = {
  name: 'Discord',
  request({ secret }, { body }) {
    const url = new URL(secret.url ?? '');
    // Without it Discord answers before it knows whether the message is right.
    url.searchParams.set('wait', 'true');
    return postJson(url.href, body);
  },
  explain: ({ body }) => textOrNull(jsonField(body, 'message')),
  waitMs: ({ body }) => secondsToMs(jsonField(body, 'retry_after')),
};
