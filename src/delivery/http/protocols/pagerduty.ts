import { type DestinationProtocol, jsonField, postJson, textOrNull } from '../destination-protocol.ts';

/** Source: https://developer.pagerduty.com/docs/send-alert-event */
export const pagerduty: DestinationProtocol = {
  name: 'PagerDuty',
  request: ({ config, secret }, { body }) =>
    postJson(new URL('/v2/enqueue', config.server).href, { routing_key: secret.routingKey, ...body }),
  explain({ body }) {
    const errors = jsonField(body, 'errors');
    if (Array.isArray(errors))
      return textOrNull(errors.filter((each) => typeof each === 'string').join('; '));
    return textOrNull(jsonField(body, 'message'));
  },
};
